import { expect } from 'chai'
import type { Message } from '../../src/expectations.ts'
import { hourOf } from '../../src/oracle/since.ts'
import type { Verdict } from '../../src/report.ts'
import { type Liar, startLiar } from './liar.ts'

/** person without a telegram contact, one whose phone blocks telegram: population.ts */
const withoutTelegram = 40
const blocksTelegram = 88
const withBoth = { audience: Uint32Array.of(1, withoutTelegram, blocksTelegram) }

describe('the oracle', () => {
  let liar: Liar
  beforeEach(async () => {
    liar = await startLiar()
  })
  afterEach(() => liar.close())

  /** ten people on three channels, and two of them have a URL */
  const rowsOfOne = 32
  const watch = () => liar.oracle.untilSettled(Date.now(), 150)
  const inWords = ({ violations }: Verdict) =>
    violations.map(({ kind, channel = '-', person = '-', what }) => `${kind} ${channel} ${person}: ${what}`)

  async function judged(): Promise<string[]> {
    await watch()
    return inWords(await liar.oracle.verdict())
  }

  it('is content with the truth, and counts it', async () => {
    liar.message()
    liar.message(withBoth)
    const since = Date.now() - 970
    expect(await liar.oracle.untilSettled(since, 1000)).to.be.within(0, 40)
    const verdict = await liar.oracle.verdict()
    expect(inWords(verdict)).to.deep.equal([])
    expect(verdict).to.deep.include({ messages: 2, recipients: 52, startLatenessMs: { p50: 3, p99: 3, max: 3 } })
    expect(liar.oracle.soFar()).to.deep.equal({ messages: 2, violations: [], unknown: 0 })
  })

  it('counts what is told as unknown, whether it was accepted or not', async () => {
    const message = liar.message()
    liar.tell(message, 'sms', 3, 'unknown')
    liar.tell(message, 'sms', 4, 'unknown')
    liar.unaccept(message, 'sms', 4)
    await watch()
    expect(liar.oracle.soFar().unknown).to.equal(2)
    const verdict = await liar.oracle.verdict()
    expect([inWords(verdict), verdict.unknown]).to.deep.equal([[], { telegram: 0, vk: 0, sms: 2, http: 0 }])
  })

  it('knows that whose message has ended is not called again', async () => {
    const message = liar.message({ mayExpire: true })
    liar.tell(message, 'http', 5, 'unknown')
    liar.tell(message, 'http', 0, 'failed')
    liar.unaccept(message, 'http', 0)
    expect(await judged()).to.deep.equal([])
  })

  it('tells how the calls were', async () => {
    liar.calls.changed = 1
    liar.message()
    await watch()
    expect((await liar.oracle.verdict()).calls).to.deep.equal({ came: 7, repeated: 2, changed: 1 })
  })

  it('that fails fast waits for no message that a call with another body keeps from settling, and says what it has found', async () => {
    await liar.close()
    liar = await startLiar({ failFast: true })
    Object.assign(history(liar.message()), { state: 'running' })
    expect(await liar.oracle.isEnough()).to.equal(false)
    liar.afterViews.push(() => (liar.calls.changed = 1))
    expect(await liar.oracle.untilSettled(Date.now(), 600_000)).to.equal(0)
    expect(await liar.oracle.isEnough()).to.equal(true)
    const { calls, violations } = await liar.oracle.verdict()
    expect([calls.changed, violations]).to.deep.equal([1, []])
  })

  it('that fails fast has enough with a violation, and looks at everything all the same', async () => {
    await liar.close()
    liar = await startLiar({ failFast: true })
    const message = liar.message()
    liar.accept(message, 'vk', 1)
    await watch()
    expect(await liar.oracle.isEnough()).to.equal(true)
    liar.accept(message, 'sms', 3)
    expect(inWords(await liar.oracle.verdict())).to.deep.equal([
      'duplicated vk p001: the provider accepted it 2 times',
      'duplicated sms p003: the provider accepted it 2 times',
    ])
  })

  it("believes the SMS centre's delivery report", async () => {
    const message = liar.message()
    liar.tell(message, 'sms', 3, 'failed', 'undelivered')
    liar.tell(message, 'sms', 4, 'delivered')
    expect(await judged()).to.deep.equal([])
  })

  it('counts what the SMS centre has taken of a message with a ceiling, and knows who is suppressed by it', async () => {
    const sms = { channels: ['sms'] as const }
    const within = liar.message({ ...sms, ceiling: 9 })
    liar.tell(within, 'sms', 4, 'suppressed')
    liar.unaccept(within, 'sms', 4)
    expect(await judged()).to.deep.equal([])
    const over = liar.message({ ...sms, ceiling: 8 })
    liar.tell(over, 'sms', 4, 'suppressed')
    liar.unaccept(over, 'sms', 4)
    const without = liar.message(sms)
    liar.tell(without, 'sms', 4, 'suppressed')
    liar.unaccept(without, 'sms', 4)
    expect(await judged()).to.deep.equal([
      'told-falsely sms -: may come to 8 SMS, and the provider accepted 9',
      'told-falsely sms p004: told as suppressed; nobody has opted out',
    ])
  })

  it('does not wait for what is not due, and judges it in the end', async () => {
    const message = liar.message({ notBeforeMs: Date.now() + 2_000 })
    for (const row of liar.rows) row.at = message.notBeforeMs
    expect(await watch()).to.equal(0)
    expect(liar.oracle.soFar()).to.deep.equal({ messages: 1, violations: [], unknown: 0 })
    liar.tell(message, 'vk', 2, 'pending')
    expect(inWords(await liar.oracle.verdict())).to.deep.equal([
      'lost vk p002: settled, and the receipt still says pending',
    ])
  })

  const lies: readonly (readonly [name: string, lie: (message: Message) => void, found: RegExp])[] = [
    ['a history that is gone', (m) => (liar.told(m).history = undefined), /^lost - -: .*no history with its key$/],
    ['a message fallen back to a key', (m) => (history(m).state = 'issued'), /^lost - -: .*a key without a message/],
    ['a message that never settles', (m) => (history(m).state = 'running'), /^lost - -: has not settled within/],
    [
      'an audience of others',
      (m) => (audience(m).sha256 = 'ab'),
      /^lost - -: is for 10 people; those asked for were 10/,
    ],
    [
      'a receipt of another person',
      (m) => (receipt(m, 4).person = 'p099'),
      /^lost - -: its receipts name 10 people, or/,
    ],
    ['a missing receipt', (m) => liar.told(m).receipts.pop(), /^lost - -: its receipts name 9 people/],
    ['a missing channel', (m) => delete history(m).channels.vk, /^lost vk -: settled without this channel/],
    ['a receipt left pending', (m) => liar.tell(m, 'sms', 3, 'pending'), /^lost sms p003: .*still says pending$/],
    [
      'a failure without a reason',
      (m) => refuse(m, 'failed'),
      /^lost vk p002: .*the phone is in order and got nothing$/,
    ],
    [
      'a person told as reached',
      (m) => liar.unaccept(m, 'vk', 2),
      /^told-falsely vk p002: told as sent; .*never accepted/,
    ],
    [
      'a person told as failed',
      (m) => liar.tell(m, 'vk', 2, 'failed'),
      /^told-falsely vk p002: told as failed; the prov/,
    ],
    [
      'a person told as expired',
      (m) => liar.tell(m, 'vk', 2, 'expired'),
      /^told-falsely vk p002: told as expired; the/,
    ],
    [
      'an expiry long before its time',
      (m) => refuse(m, 'expired'),
      /^told-falsely vk p002: told as expired; it had a day$/,
    ],
    ['a cancellation nobody asked for', (m) => refuse(m, 'cancelled'), /^told-falsely vk p002: .*nobody cancelled it$/],
    ['an opting-out that never was', (m) => refuse(m, 'suppressed'), /^told-falsely vk p002: .*nobody has opted out$/],
    ['a contact denied', (m) => refuse(m, 'no-contact'), /^told-falsely vk p002: told as no-contact, with one$/],
    [
      'a settled message with an open channel',
      (m) => (line(m).state = 'running'),
      /^told-falsely vk -: says settled while/,
    ],
    ['another text in the record', (m) => (history(m).text = 'else'), /^told-falsely - -: has another text/],
    [
      'another text on the phone',
      () => (row().text = `${row().text}!`),
      /^told-falsely telegram .*arrived as another text/,
    ],
    ['a due time other than answered', (m) => (m.dueMs = 5), /^told-falsely - -: says it is due .* and answered 1970/],
    ['a message before its time', () => (row().at -= 5000), /^told-falsely telegram p000: .* ms before it was due$/],
    ['a message gone astray', () => (row().address = '70000077'), /^told-falsely telegram 70000077: went to 70000077/],
    ['a contradiction of the API', (m) => m.contradictions.push('twice 201'), /^told-falsely - -: twice 201$/],
    [
      'a message seen twice',
      (m) => liar.accept(m, 'sms', 3),
      /^duplicated sms p003: the provider accepted it 2 times$/,
    ],
    [
      'somebody unknown who could be sent to again',
      (m) => liar.tell(m, 'http', 5, 'unknown'),
      /^told-falsely http p005: told as unknown, and could be sent again$/,
    ],
    [
      'a person counted in another class',
      (m) => (liar.told(m).people.delivered = 1),
      /^told-falsely - -: counts 1 delivered/,
    ],
    [
      'a sentence of everyone, where nobody is known to have it',
      (m) => (liar.told(m).sentence = 'Everyone got it: 10 people.'),
      /^told-falsely - -: says "Everyone got it: 10 people\." of 0 delivered$/,
    ],
    [
      'somebody counted twice in a sentence',
      (m) => (liar.told(m).sentence += ' 10 sent to the chat.'),
      /^told-falsely - -: says "Of 10 people: .*" of 10 sentToChat$/,
    ],
    [
      'an exit code that is another',
      (m) => (liar.told(m).code = 3),
      /^told-falsely - -: the command line ended with 3: Of 10/,
    ],
    ['counts that do not add up', (m) => (line(m).sent = 9_999), /^imbalance vk -: counts sum up to/],
  ]
  const history = (message: Message) => liar.told(message).history as NonNullable<ReturnType<Liar['told']>['history']>
  const audience = (message: Message) => history(message).audience as { sha256: string }
  const receipt = (message: Message, ordinal: number) => liar.told(message).receipts[ordinal] as { person: string }
  const line = (message: Message) => history(message).channels.vk as { state: string; sent?: number; failed?: number }
  const row = () => liar.rows[0] as Liar['rows'][number]
  const refuse = (message: Message, state: string) => {
    liar.unaccept(message, 'vk', 2)
    liar.tell(message, 'vk', 2, state)
  }

  for (const [name, lie, found] of lies) {
    it(`finds ${name}`, async () => {
      liar.message()
      lie(liar.message())
      liar.message()
      const violations = await judged()
      expect(violations).not.to.deep.equal([])
      expect(violations[0]).to.match(found)
    })
  }

  it('is content where it is said that nobody is known to have it, and nobody is', async () => {
    const message = liar.message({ channels: ['sms'], audience: Uint32Array.of(3) })
    liar.tell(message, 'sms', 3, 'unknown')
    const told = liar.told(message)
    const counts = 'Of 1 person: 1 not known whether it arrived (1 no answer came).'
    for (const opening of ['It is not known that anybody got it.', 'Nobody got it.']) {
      told.sentence = `${opening} ${counts}`
      expect(await judged(), opening).to.deep.equal([])
    }
    told.sentence = `Everybody got it. ${counts}`
    expect((await judged()).join()).to.contain('and of nobody is that known')
  })

  it('finds an exit code of 0 where a phone is off', async () => {
    const message = liar.message({ channels: ['sms'], audience: Uint32Array.of(3) })
    expect(liar.told(message)).to.include({
      code: 3,
      sentence: 'Of 1 people: 1 taken by the operator, not confirmed yet.',
    })
    liar.told(message).code = 0
    expect(await judged()).to.deep.equal([
      'told-falsely - -: the command line ended with 0: Of 1 people: 1 taken by the operator, not confirmed yet.',
    ])
  })

  it('asks a command line again that could not reach the fleet, and finds any other error of it', async () => {
    liar.message({ channels: ['vk'], audience: Uint32Array.of(3) })
    liar.commandLineAway.push('watch: Redis does not answer; try again soon\n')
    expect(await judged()).to.deep.equal([])
    liar.commandLineAway.push('watch: something went wrong here; the log of the queue says what\n')
    expect((await judged())[0]).to.match(
      /^told-falsely - -: the command line could not answer: watch: something went wrong/,
    )
  })

  it('finds a person without a contact told as anything else', async () => {
    const message = liar.message(withBoth)
    liar.tell(message, 'telegram', withoutTelegram, 'unknown')
    expect(await judged()).to.deep.equal(['told-falsely telegram p040: told as unknown, without a contact'])
  })

  it('finds a ledger that differs from its receipts though it adds up', async () => {
    const message = liar.message()
    Object.assign(line(message), { sent: 9, failed: 1 })
    expect(await judged()).to.deep.equal(['imbalance vk -: counts 9 sent; its receipts are 10'])
  })

  it('finds statistics that are not what the receipts say', async () => {
    liar.message()
    liar.message()
    liar.miscount = (rows) => {
      for (const { came } of rows) if (came.sent) came.sent -= 1
    }
    const found = await judged()
    expect(found).to.have.length(4)
    expect(found.join()).to.match(/imbalance vk -: statistics count 19 sent; the receipts of all messages 20/)
  })

  it('finds statistics of another hour than the receipts say', async () => {
    const { startedAt } = history(liar.message())
    const hour = hourOf(startedAt as string)
    liar.miscount = (rows) => {
      for (const row of rows) if (row.channel === 'vk') row.hour = '2026-01-01T00:00:00.000Z'
    }
    expect(await judged()).to.deep.equal([
      'imbalance vk -: in the hour from 2026-01-01T00:00:00.000Z statistics count 10 for whom a message began; it did for 0',
    ])
    liar.miscount = (rows) => {
      for (const row of rows) if (row.channel === 'sms') row.reason = 'blocked'
    }
    expect(inWords(await liar.oracle.verdict()).slice(1)).to.deep.equal([
      `imbalance sms -: in the hour from ${hour} statistics count 0 who came to sent (no reason); 10 stay so`,
    ])
  })

  it('finds what comes after everything has settled: a duplicate, a lost history, a weaker receipt', async () => {
    const [first, second, third] = [liar.message(), liar.message(), liar.message()]
    liar.tell(third, 'sms', 1, 'delivered')
    await watch()
    expect(liar.oracle.soFar().violations).to.deep.equal([])
    liar.accept(first, 'telegram', 7)
    liar.told(second).history = undefined
    liar.tell(third, 'sms', 1, 'sent')
    const violations = inWords(await liar.oracle.verdict())
    expect(violations).to.have.members([
      'duplicated telegram p007: the provider accepted it 2 times',
      'lost - -: was answered as accepted, and there is no history with its key',
      'told-falsely sms -: had 1 delivered/read/confirmed, and later 0',
      'told-falsely sms p001: said delivered, later sent',
    ])
  })

  it('finds a message that was sent although its cancellation was answered as in time', async () => {
    const message = liar.message({ audience: Uint32Array.of(5), channels: ['vk'] })
    message.cancellation = 'cancelled'
    Object.assign(history(message), { state: 'cancelled', startedAt: undefined, channels: {} })
    Object.assign(liar.told(message), {
      sentence: 'It was cancelled before it started, and sent to none of 1 person.',
      code: 1,
    })
    liar.told(message).receipts[0] = { ordinal: 0, person: liar.people.idOf(5), channels: {} }
    const all = ['told-falsely vk p005: cancelled, so that nobody gets it, yet the provider accepted it']
    expect(await judged()).to.deep.equal(all)
  })

  it('lets a cancelled message forget its people, and finds it told of as sent', async () => {
    for (const sentence of [
      'It was cancelled before it started, and sent to none of 10 people.',
      'Everyone got it: 10 people.',
    ]) {
      const message = liar.message()
      message.cancellation = 'cancelled'
      Object.assign(history(message), { state: 'cancelled', startedAt: undefined, channels: {} })
      Object.assign(liar.told(message), { sentence, code: 1, receipts: [] })
    }
    liar.rows.splice(0)
    expect(await judged()).to.deep.equal([
      'told-falsely - -: was cancelled before it started, and says "Everyone got it: 10 people."',
    ])
  })

  it('finds a message that somebody may have although its cancellation was answered as in time', async () => {
    const message = liar.message({ audience: Uint32Array.of(5), channels: ['vk'] })
    message.cancellation = 'cancelled'
    const violations = await judged()
    expect(violations).to.have.length(2)
    expect(violations[0]).to.match(/^told-falsely vk -: was answered as cancelled, so that nobody gets it: .*"sent":1/)
    expect(violations[1]).to.equal(
      'told-falsely vk p005: cancelled, so that nobody gets it, yet the provider accepted it',
    )
  })

  it('finds a message that goes on although its cancellation was answered as in time', async () => {
    const message = liar.message()
    message.cancellation = 'cancelled'
    Object.assign(history(message), { state: 'running' })
    expect(await judged()).to.include(
      'told-falsely - -: was answered as cancelled, so that nobody gets it, and says running',
    )
  })

  it('finds a message that was refused and sent, and lets a refused one that was not be', async () => {
    for (const message of [liar.message(), liar.message()]) message.standing = 'refused'
    liar.rows.splice(0, rowsOfOne)
    const violations = await judged()
    expect(violations.filter((each) => each.startsWith('told-falsely'))).to.have.length(rowsOfOne)
    const counted = violations.filter((each) => each.startsWith('imbalance'))
    expect(counted, 'statistics count them, on each channel').to.have.length(4)
    expect(violations[0]).to.equal('told-falsely telegram p000: refused, yet the provider accepted it')
  })

  it('looks for messages that were never answered: they exist, or nobody may have them', async () => {
    const [existing, put, nowhere, nobody] = [liar.message(), liar.message(), liar.message(), liar.message()]
    for (const message of [existing, put, nowhere, nobody]) message.standing = 'unanswered'
    for (const message of [nowhere, nobody]) liar.told(message).history = undefined
    for (const message of [existing, nowhere, nobody]) message.key = undefined
    liar.rows.splice(-rowsOfOne)
    expect(await judged()).to.deep.equal(['lost - -: was sent, and no history of the sender tells of it'])
    expect(liar.expectations.messages.map(({ standing }) => standing)).to.deep.equal([
      'accepted',
      'accepted',
      'unanswered',
      'unanswered',
    ])
  })

  it('counts each wrong once, however often it looks', async () => {
    const message = liar.message()
    liar.accept(message, 'vk', 1)
    liar.accept(message, 'vk', 2)
    await watch()
    expect(liar.oracle.soFar().violations).to.have.lengthOf(2)
    const { duplicated, violations } = await liar.oracle.verdict()
    expect([duplicated, violations.length]).to.deep.equal([{ telegram: 0, vk: 2, sms: 0, http: 0 }, 2])
  })

  it('finds a message that gets younger, and a count below nothing', async () => {
    const message = liar.message()
    Object.assign(history(message), { state: 'running' })
    liar.afterViews.push(
      () => Object.assign(history(message), { state: 'scheduled' }),
      () => Object.assign(line(message), { sent: 13, failed: -3 }),
      () => Object.assign(history(message), { state: 'settled' }),
    )
    expect(await liar.oracle.untilSettled(Date.now(), 60_000)).to.equal(0)
    const { violations } = await liar.oracle.verdict()
    const found = violations.map(({ kind, what }) => `${kind}: ${what.slice(0, 36)}`)
    expect(found).to.include('told-falsely: said running, and later scheduled')
    expect(found).to.include('imbalance: counts sum up to 10 of 10: {"state":')
  })

  it('finds a doubt that is forgotten again', async () => {
    const message = liar.message()
    liar.tell(message, 'sms', 3, 'unknown')
    Object.assign(history(message), { state: 'running' })
    liar.afterViews.push(() => {
      liar.tell(message, 'sms', 3, 'pending')
      Object.assign(history(message), { state: 'settled' })
    })
    expect(await judged()).to.include('told-falsely sms -: had 0 pending, and later 1')
  })

  it('looks for a message that was never answered once more at the end', async () => {
    const message = liar.message()
    message.standing = 'unanswered'
    const { history: late } = liar.told(message)
    liar.told(message).history = undefined
    await watch()
    liar.told(message).history = late
    liar.tell(message, 'vk', 2, 'pending')
    expect(inWords(await liar.oracle.verdict())).to.match(/^lost vk p002: .*still says pending$/)
  })

  it('goes on when the API was away, and holds no message lost for that', async () => {
    liar.message()
    liar.trouble = 5
    expect(await liar.oracle.untilSettled(Date.now(), 60_000)).to.equal(0)
    expect(liar.trouble).to.equal(0)
    expect(await judged()).to.deep.equal([])
  })

  it('says when time is over, and does not wait for the same message again', async () => {
    Object.assign(history(liar.message()), { state: 'running' })
    expect(await watch()).to.equal(undefined)
    liar.message()
    expect(await watch()).to.equal(0)
  })
})
