import { expect } from 'chai'
import type { Message } from '../../src/expectations.ts'
import type { Receipt } from '../../src/oracle/api.ts'
import { type Liar, startLiar } from './liar.ts'

/** population.ts: two phones, of which the first is in order, the next is, neither; and one phone */
const byTheFirst = 7
const byTheNext = 112
const byNeither = 100
const withOne = 3

type Told = { -readonly [K in keyof Receipt['channels'][string]]: Receipt['channels'][string][K] }

describe('the oracle, of those with two phones', () => {
  let liar: Liar
  beforeEach(async () => {
    liar = await startLiar()
  })
  afterEach(() => liar.close())

  const toOne = (person: number, more = {}) =>
    liar.message({ channels: ['sms'], audience: Uint32Array.of(person), ...more })
  const told = (message: Message) => liar.told(message).receipts[0]?.channels.sms as Told
  const next = (person: number) => liar.people.nextPhoneOf(person)?.address as string
  const first = (person: number) => liar.people.contactOf('sms', person) as string

  /** without statistics, which the same lie may make wrong, too */
  async function judged(): Promise<string[]> {
    await liar.oracle.untilSettled(Date.now(), 150)
    const { violations } = await liar.oracle.verdict()
    return violations
      .filter(({ message }) => message !== 'statistics')
      .map(({ kind, person = '-', what }) => `${kind} ${person}: ${what}`)
  }

  it('is content with the truth: by the first, by the next, by neither', async () => {
    liar.message({ audience: Uint32Array.of(withOne, byTheFirst, byNeither, byTheNext) })
    expect((await liar.oracle.untilSettled(Date.now(), 150)) !== undefined).to.equal(true)
    const { violations, nextPhones } = await liar.oracle.verdict()
    expect(violations).to.deep.equal([])
    expect(nextPhones).to.deep.equal({ wentOn: 2, reached: 1 })
    expect(liar.rows.filter(({ channel }) => channel === 'sms').map(({ address }) => address)).to.deep.equal([
      first(withOne),
      first(byTheFirst),
      next(byTheNext),
    ])
  })

  it('knows that a phone which has refused before is passed over, and that both may have', async () => {
    delete told(toOne(byTheNext)).earlier
    const byNone = toOne(byNeither)
    delete told(byNone).earlier
    delete told(byNone).contact
    expect(await judged()).to.deep.equal([])
  })

  it('knows that doubt about the first tries nobody further, nor a message that has ended', async () => {
    const doubtful = toOne(byTheNext)
    const expired = toOne(byTheNext, { mayExpire: true })
    const stopped = toOne(byTheNext)
    stopped.cancellation = 'stopping'
    for (const message of [doubtful, expired, stopped])
      liar.tell(message, 'sms', byTheNext, message === doubtful ? 'unknown' : 'failed')
    liar.rows.splice(0)
    expect(await judged()).to.deep.equal([])
  })

  const lies: readonly (readonly [name: string, person: number, lie: (message: Message) => void, found: RegExp])[] = [
    [
      'the next phone of somebody whose first is in order',
      byTheFirst,
      (m) => {
        Object.assign(told(m), { contact: '57', earlier: [{ contact: '07', state: 'failed', at: told(m).at }] })
        for (const row of liar.rows) row.address = next(byTheFirst)
      },
      /^told-falsely p007: went on to the next phone, and the first is in order$/,
    ],
    [
      'a message on the next phone that no receipt tells of',
      byTheFirst,
      () => {
        for (const row of liar.rows) row.address = next(byTheFirst)
      },
      /^told-falsely p007: went on to the next phone, and the first is in order$/,
    ],
    [
      'a message on both phones',
      byTheFirst,
      (m) => liar.accept(m, 'sms', byTheFirst, { address: next(byTheFirst) }),
      /^duplicated p007: the provider accepted it 2 times$/,
    ],
    [
      'a next phone that doubt was enough for',
      byTheNext,
      (m) => Object.assign(told(m), { earlier: [{ contact: '12', state: 'unknown', at: told(m).at }] }),
      /^told-falsely p112: went on to the next phone after 12 unknown, and the first ends with 12$/,
    ],
    [
      'a next phone tried twice',
      byTheNext,
      (m) => told(m).earlier && Object.assign(told(m), { earlier: told(m).earlier?.flatMap((each) => [each, each]) }),
      /^told-falsely p112: went on to the next phone after 12 failed, 12 failed, and /,
    ],
    [
      'what is told of a phone that they do not have',
      byTheNext,
      (m) => (told(m).contact = '13'),
      /^told-falsely p112: told as sent by a phone that ends with 13; it was \+79500000162$/,
    ],
    [
      'a next phone that was not tried',
      byTheNext,
      (m) => {
        liar.unaccept(m, 'sms', byTheNext)
        liar.tell(m, 'sms', byTheNext, 'failed')
      },
      /^lost p112: told as failed; the next phone is in order and got nothing$/,
    ],
    [
      'a next phone in order that got nothing',
      byTheNext,
      (m) => {
        const { earlier } = told(m)
        liar.unaccept(m, 'sms', byTheNext)
        liar.tell(m, 'sms', byTheNext, 'failed')
        Object.assign(told(m), { contact: '62', earlier })
      },
      /^lost p112: told as failed; the next phone is in order and got nothing$/,
    ],
    [
      'who has it by the next, and is told as not reached',
      byTheNext,
      (m) => {
        const { earlier } = told(m)
        liar.tell(m, 'sms', byTheNext, 'failed')
        Object.assign(told(m), { contact: '62', earlier })
      },
      /^told-falsely p112: told as failed; the provider accepted it$/,
    ],
    [
      'who is told as reached by the next, which had nothing',
      byNeither,
      (m) => {
        const { earlier } = told(m)
        liar.tell(m, 'sms', byNeither, 'sent')
        Object.assign(told(m), { contact: '50', earlier })
      },
      /^told-falsely p100: told as sent; the provider never accepted it$/,
    ],
    [
      'a phone before the only one',
      withOne,
      (m) => Object.assign(told(m), { earlier: [{ contact: '03', state: 'failed', at: told(m).at }] }),
      /^told-falsely p003: told of one of several phones; they have one$/,
    ],
  ]
  for (const [name, person, lie, found] of lies) {
    it(`finds ${name}`, async () => {
      lie(toOne(person))
      const violations = await judged()
      expect(violations).not.to.deep.equal([])
      expect(violations[0]).to.match(found)
    })
  }
})
