import { Problem } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis, generatedAddress, generatedId, generatePeople } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import { countryCode, normaliseAddress } from '../src/address.ts'
import { createDirectory } from '../src/create-directory.ts'
import { bytes } from './csv-bytes.ts'
import { expand } from './expand.ts'

const russia = countryCode('RU')

describe('addresses', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))

  it('come to one form however a number is written', () => {
    fc.assert(
      fc.property(digits(9), fc.constantFrom('+7', '8', '7', ''), fc.constantFrom('', ' ', '-'), (rest, start, gap) => {
        const written = [start, `9${rest.slice(0, 2)}`, rest.slice(2, 5), rest.slice(5, 7), rest.slice(7)].join(gap)
        expect(normaliseAddress('sms', written, russia)).to.equal(`+79${rest}`)
      }),
    )
  })

  it('do not change when they are normalised again', () => {
    const text = fc.oneof(
      fc.string(),
      digits(11),
      digits(11).map((number) => `+${number}`),
    )
    fc.assert(
      fc.property(fc.constantFrom('sms', 'telegram', 'vk', 'email'), text, (channel, written) => {
        const once = normalised(channel, written)
        if (once !== undefined) expect(normalised(channel, once)).to.equal(once)
      }),
    )
  })

  it('of another country keep their code', () => {
    expect(normaliseAddress('sms', '+44 20 7946 0958', russia)).to.equal('+442079460958')
    expect(normaliseAddress('sms', '020 7946 0958', countryCode('GB'))).to.equal('+442079460958')
    expect(() => countryCode('XX')).to.throw(RangeError)
  })

  function normalised(channel: string, text: string): string | undefined {
    try {
      return normaliseAddress(channel, text, russia)
    } catch (error) {
      expect(error).to.be.instanceOf(Problem)
      return undefined
    }
  }
})

describe('any roster', () => {
  let fresh: FreshRedis
  before(async () => {
    fresh = await freshRedis()
  })
  after(() => fresh.stop())

  const create = () => createDirectory({ redis: fresh.redis, country: 'RU' })

  it('accounts for every line, and changes nothing the second time', async () => {
    // few values, so that people, addresses and groups collide
    const cell = (...values: string[]) => fc.constantFrom('', ...values)
    const line = fc
      .tuple(
        cell('a', 'b', 'c', 'd', 'e f'),
        cell('Анна', 'Борис', '"quoted"', 'open " quote', '"open'),
        cell('student', 'trainer', 'boss'),
        cell('7001', '7002', '7003', 'x'),
        cell('89001234567', '+7 900 123-45-68', '12'),
        cell('g1', 's1/g1', 's1/g2|g3', '/'),
      )
      .map((cells) => cells.join(';'))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        await fresh.redis.flushdb()
        const directory = create()
        const roster = ['id;name;role;telegram;phone;groups', ...lines].join('\r\n')
        const first = await directory.importCsv(bytes(roster), { allLines: true })
        const filled = lines.filter((text) => text.replace(/[;"\s]/g, '') !== '').length
        expect(first.created + first.updated + first.unchanged + first.rejected).to.equal(filled)
        expect(first.lines).to.have.length(filled)
        expect(await directory.listPeople('', 100)).to.have.length(first.created)

        const second = await directory.importCsv(bytes(roster))
        expect([second.created, second.updated]).to.deep.equal([0, 0])
        expect([second.unchanged, second.rejected]).to.deep.equal([first.created + first.unchanged, first.rejected])
      }),
      { numRuns: 60 },
    )
  })

  it('of generated people arrives whole', async () => {
    await fresh.redis.flushdb()
    const directory = create()
    const report = await directory.importCsv(generatePeople(5000, { groupSize: 1000 }))
    expect(report).to.include({ created: 5000, rejected: 0 })
    const everyone = await expand(directory, ['cohort:everyone'], { owner: 'x', role: 'staff' })
    expect(everyone).to.deep.equal(Array.from({ length: 5000 }, (_, index) => generatedId(index)))
    const [last] = await directory.contactsOf('sms', [generatedId(4999)])
    expect(last).to.deep.equal({ address: generatedAddress.sms(4999), state: 'active' })
    expect(await directory.listGroups()).to.have.length(5)
  })
})
