import { expect } from 'chai'
import { channels } from '../../src/expectations.ts'
import { seededRandom } from '../../src/random.ts'
import { createPeople } from '../../src/traffic/index.ts'
import { type Action, type Draft, planRound } from '../../src/traffic/plan.ts'

const people = createPeople({ everyone: 5_000, first: 3_000, callsUrl: 'http://receiver.test' })
const round = (index: number, seed = 'any') => planRound(index, seededRandom(`${seed}/${index}`), people)
const draftsOf = (action: Action): readonly Draft[] => (action.kind === 'bulk' ? action.drafts : [action.draft])

describe('a round of traffic', () => {
  it('is what the seed says', () => {
    expect(round(7)).to.deep.equal(round(7))
    expect(round(7)).not.to.deep.equal(round(7, 'other'))
  })

  it('has every shape: single, overlapping, deferred, cancelled, rescheduled, repeated, bulk', () => {
    const actions = round(0)
    const drafts = actions.flatMap(draftsOf)
    const puts = actions.filter((action) => action.kind === 'put')
    expect(actions.length).to.be.within(24, 45)
    expect(actions.filter(({ kind }) => kind === 'put-repeatedly')).to.have.length(1)
    expect(drafts.some(({ dueInMs }) => dueInMs !== undefined)).to.equal(true)
    expect(drafts.some(({ to, audience }) => to.length === 2 && audience.length > 10)).to.equal(true)
    expect(puts.filter(({ cancelInMs }) => cancelInMs !== undefined)).to.have.length(2)
    expect(puts.filter(({ reschedule }) => reschedule !== undefined)).to.have.length(1)
    expect(actions.filter(({ kind }) => kind === 'bulk').flatMap(draftsOf)).to.have.length(20)
    const [withCeiling, ...others] = drafts.filter(({ ceiling }) => ceiling !== undefined)
    expect([withCeiling?.channels, others]).to.deep.equal([['sms'], []])
    expect(withCeiling?.words.length, 'one part, with its marker').to.be.below(60)
    expect(new Set(drafts.map((draft) => draft.class))).to.deep.equal(new Set(['urgent', 'normal', 'bulk']))
  })

  it('comes with three thousand people now and then, and with everyone', () => {
    const sizes = Array.from({ length: 48 }, (_unused, index) =>
      Math.max(
        ...round(index)
          .flatMap(draftsOf)
          .map(({ audience }) => audience.length),
      ),
    )
    expect(sizes.filter((size) => size === 3_000)).to.have.length(6)
    expect(sizes.filter((size) => size === 5_000)).to.have.length(6)
  })

  it('names every person once, in the order of the ids', () => {
    for (const { audience } of round(2).flatMap(draftsOf)) {
      const ids = [...audience].map(people.idOf)
      expect(ids).to.deep.equal([...new Set(ids)].sort())
    }
  })
})

describe('the people of the suite', () => {
  const rows = people.roster.trimEnd().split('\n').slice(1)
  const everyone = Array.from({ length: people.size }, (_unused, person) => person)

  it('are in the roster as the oracle knows them', () => {
    expect(rows).to.have.length(5_000)
    for (const [person, row] of rows.entries()) {
      const [id, , , , , telegram, vk, phone, groups] = row.split(',') as string[]
      expect(id).to.equal(people.idOf(person))
      expect([telegram, vk, phone]).to.deep.equal(
        (['telegram', 'vk', 'sms'] as const).map((channel) => people.contactOf(channel, person) ?? ''),
      )
      const own = people.groups.filter(({ from, until }) => person >= from && person < until)
      expect((groups as string).split('|').filter((group) => /^g\d+$/.test(group))).to.deep.equal(
        own.map(({ to }) => to.replace('group:', '')),
      )
    }
  })

  it('are found by their address, and nobody else is', () => {
    for (const channel of channels) {
      for (const person of everyone) {
        const address = people.contactOf(channel, person)
        if (address !== undefined) expect(people.personAt(channel, address)).to.equal(person)
      }
    }
    expect(people.personAt('sms', '+79000999999')).to.equal(undefined)
    expect(people.personAt('sms', '+79500000051'), 'the next phone of who has one').to.equal(undefined)
    expect(people.personAt('vk', '500005000')).to.equal(undefined)
    expect(people.personAt('vk', 'x')).to.equal(undefined)
    expect(people.personAt('http', 'http://receiver.test/ok/1')).to.equal(undefined)
    expect(people.called.map(({ url, id }) => [people.idOf(people.personAt('http', url) ?? -1), id])).to.deep.equal(
      people.called.map(({ id }) => [id, id]),
    )
    expect(people.called).to.have.length(600)
  })

  it('have a next phone, some of them: whose first refuses, mostly one in order, and others whose first is in order', () => {
    for (const { address, id } of people.nextPhones)
      expect(people.idOf(people.personAt('sms', address) ?? -1)).to.equal(id)
    const count = { ofOrdinary: 0, inOrder: 0, refusing: 0 }
    for (const person of everyone) {
      const next = people.nextPhoneOf(person)
      if (!next) continue
      expect(people.contactOf('sms', person)?.slice(-2), 'shown otherwise').not.to.equal(next.address.slice(-2))
      if (people.isReachable('sms', person)) count.ofOrdinary += 1
      else count[next.isReachable ? 'inOrder' : 'refusing'] += 1
      expect(people.phones.some(({ address }) => address === next.address)).to.equal(!next.isReachable)
    }
    expect(people.nextPhones).to.have.length(411 + 44 + 11)
    expect(count).to.deep.equal({ ofOrdinary: 411, inOrder: 44, refusing: 11 })
  })

  it('are out of reach on each channel in every way a phone can be, a few of them', () => {
    for (const channel of channels) {
      const refusing = people.phones.filter((phone) => phone.channel === channel)
      expect(refusing.length).to.be.within(20, 100)
      for (const { address } of refusing) {
        expect(people.isReachable(channel, people.personAt(channel, address) as number)).to.equal(false)
      }
    }
    expect(everyone.filter((person) => people.contactOf('telegram', person) !== undefined).length).to.be.within(
      2900,
      2999,
    )
  })
})
