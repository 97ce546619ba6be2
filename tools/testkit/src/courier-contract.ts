/**
 * What every courier must be able to do, proved once per channel against its stand-in. A channel's own test is one call:
 *
 *     courierContract('vk', async (deps) => { …; return { world, line, build, address, secrets, stop } })
 *
 * The suite sets up once, lifts all limits, hands every test addresses of its own and clears the faults between tests.
 */
import { channelOf } from '@courier-fleet/channels'
import type { Courier, CourierDeps, Item, Outcome, Pacer } from '@courier-fleet/couriers'
import type { Fault, World } from '@courier-fleet/sandbox'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { expect } from 'chai'
import { capturedLog } from './captured-log.ts'
import { brokenBytes } from './fuzz.ts'
import type { Link } from './link.ts'
import { longText, seamless } from './long-text.ts'
import { noUploads } from './no-uploads.ts'
import { until } from './until.ts'

export interface CourierFixture {
  readonly world: World
  /** between the couriers and the stand-in */
  readonly line: Link
  /**
   * Each a process of the same account, built on the deps given: the suite starts and stops it.
   * @param deadlineMs the adapter's own, of one send
   */
  build(deadlineMs: number): Courier
  /** the i-th person's address, from 0; a working phone unless the suite says otherwise */
  address(i: number): string
  /** what the engine puts into each item beside these, where the channel asks for it */
  readonly envelope?: Item['envelope']
  /** an address names its provider: what concerns the way to it concerns nobody else, and waits for a later wave; as what */
  readonly eachIsProvider?: 'not-taken' | 'throttled'
  /** what must never be logged or said in an outcome: the token, the password … */
  readonly secrets: readonly string[]
  /** closes the stand-in and all else that setup opened */
  stop(): Promise<void>
}

const neverAborted = new AbortController().signal

/** A send is to end within this (courier.ts), and a machine that is slow for a moment has it whole. */
const deadlineMs = 20_000
/** where nobody answers */
const shortDeadlineMs = 1_500

export function courierContract(name: string, setup: (deps: CourierDeps) => Promise<CourierFixture>): void {
  describe(`the courier contract: ${name}`, () => {
    const log = capturedLog()
    const openPacer: Pacer = { take: async () => {} }
    let pacer = openPacer
    let fixture: CourierFixture
    let courier: Courier
    let people = 0
    let messages = 0
    let start = 0

    before(async () => {
      fixture = await setup({
        log: log.log,
        clock: { now: () => Date.now() },
        pacer: { take: (units, cls, signal) => pacer.take(units, cls, signal) },
        uploads: noUploads,
        onReport: async () => {},
      })
      courier = fixture.build(deadlineMs)
      await courier.start(neverAborted)
    })

    beforeEach(() => {
      fixture.world.limits = noLimits()
      start = fixture.world.accepted.length
      pacer = openPacer
    })

    afterEach(() => fixture.world.clearFaults())

    after(async () => {
      await courier?.stop()
      await fixture?.stop()
    })

    const channel = () => courier.channel as Fault['channel']
    const person = () => fixture.address(people++)
    const accepted = () =>
      fixture.world.accepted.slice(start).map(({ channel, address, text }) => ({ channel, address, text }))
    const acceptedBy = (address: string) => accepted().filter((entry) => entry.address === address)

    /** The items of one message, keyed as the runner keys them: neighbours within keySpan share one. */
    const message = (entries: readonly { address: string; text: string }[]): Item[] => {
      const base = 0x1234_5678_0000_0000n + BigInt(messages++) * 0x1_0000_0001n
      const more = fixture.envelope ? { envelope: fixture.envelope } : {}
      return entries.map((entry, ordinal) => ({
        class: 'normal',
        ...entry,
        ...more,
        key: base + BigInt(Math.floor(ordinal / courier.keySpan)),
      }))
    }
    const single = (address: string, text = 'Занятие перенесено'): Item[] => message([{ address, text }])
    const send = (items: readonly Item[], signal = neverAborted, by = courier) => by.send(items, signal)

    /** As the runner does: waits as long as told, and sends what is ambiguous again where the provider folds it. */
    const sendUntilDone = async (items: readonly Item[], by = courier): Promise<Outcome[]> => {
      const outcomes = await send(items, neverAborted, by)
      for (const giveUpAt = performance.now() + 60_000; performance.now() < giveUpAt; ) {
        const open = [...outcomes.keys()].filter((i) => {
          const kind = outcomes[i]?.kind
          return isPutOff(outcomes[i]) || kind === 'not-sent' || (kind === 'unknown' && by.foldsResends)
        })
        if (open.length === 0) break
        const waits = open.map((i) => (isPutOff(outcomes[i]) ? outcomes[i].retryAfterMs : 50))
        await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(...waits), 2000)))
        const answers = await send(pick(items, open), neverAborted, by)
        for (const [i, answer] of answers.entries()) outcomes[open[i] as number] = answer
      }
      return outcomes
    }
    const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind)
    const untilReady = () => until(() => courier.readiness.notReady() === undefined, 'it is ready')
    const expectWorks = async (by = courier) => {
      const address = person()
      expect(kinds(await sendUntilDone(single(address, 'И снова работает'), by))).to.deep.equal(['sent'])
      expect(acceptedBy(address)).to.have.length(1)
    }

    describe('starting and stopping', () => {
      it('may be stopped before it was started, and twice', async () => {
        const fresh = fixture.build(deadlineMs)
        await fresh.stop()
        await fresh.stop()
        const started = fixture.build(deadlineMs)
        await started.start(neverAborted)
        await started.stop()
        await started.stop()
      })

      it('says what the runner needs to know of it', () => {
        expect(courier.account).to.match(/^[\w-]+$/)
        expect(courier.target).to.equal('sandbox')
        const { foldsResends, tells, edit, recall } = channelOf(courier.channel).abilities
        expect(courier.foldsResends).to.equal(foldsResends)
        expect(courier.givesReports ?? false).to.equal(tells.length > 1)
        expect([courier.edit !== undefined, courier.recall !== undefined]).to.deep.equal([
          edit !== undefined,
          recall !== undefined,
        ])
        for (const count of [courier.batchSize, courier.concurrency, courier.keySpan]) expect(count).to.be.at.least(1)
        for (const secret of fixture.secrets) expect(courier.account).not.to.include(secret)
      })
    })

    describe('sending', () => {
      it('answers nothing for nobody', async () => {
        expect(await send([])).to.deep.equal([])
      })

      it('answers for each person in order, and the provider holds exactly what was sent', async () => {
        const wanted = Array.from({ length: Math.min(courier.batchSize, 120) }, () => ({
          channel: courier.channel,
          address: person(),
          text: 'Встреча в 18:00, ауд. 5 {[€]} <b>&amp;"\\ 🎓',
        }))
        const outcomes = await sendUntilDone(message(wanted.map(({ address, text }) => ({ address, text }))))
        expect(new Set(kinds(outcomes))).to.deep.equal(new Set(['sent']))
        const ids = outcomes.map((outcome) => (outcome.kind === 'sent' ? outcome.providerId : ''))
        expect(ids).not.to.include('')
        expect(new Set(ids).size, 'distinct provider ids').to.equal(wanted.length)
        expect(accepted()).to.have.deep.members(wanted)
      })

      it('sends many different messages at once', async () => {
        const sends = Array.from({ length: courier.concurrency }, (_, i) => single(person(), `Вам письмо № ${i}`))
        const outcomes = await Promise.all(sends.map((items) => sendUntilDone(items)))
        expect(new Set(kinds(outcomes.flat()))).to.deep.equal(new Set(['sent']))
        const wanted = sends.flat().map(({ address, text }) => ({ channel: courier.channel, address, text }))
        expect(accepted()).to.have.deep.members(wanted)
      })

      for (const state of ['blocked', 'deactivated', 'unknown'] as const)
        it(`rejects a phone that is ${state}, and marks the contact`, async () => {
          const address = person()
          fixture.world.setPhone({ channel: channel(), address, state })
          const [outcome] = await send(single(address))
          if (outcome?.kind !== 'rejected') throw new Error(`expected rejected, got ${JSON.stringify(outcome)}`)
          expect(outcome.class).to.be.oneOf(['blocked', 'deactivated', 'invalid'])
          expect(outcome.detail).not.to.equal('')
          expect(acceptedBy(address)).to.deep.equal([])
        })

      it('delivers a long text complete, and tears no word and no character', async () => {
        for (const text of [longText(6000), '🎓'.repeat(3000)]) {
          const address = person()
          const [outcome] = await sendUntilDone(single(address, text))
          expect(outcome?.kind).to.equal('sent')
          const parts = acceptedBy(address).map((entry) => entry.text)
          expect(seamless(parts.join(''))).to.equal(seamless(text))
          const words = new Set(text.split(/\s+/))
          for (const part of parts) {
            expect(part).not.to.match(/\p{Surrogate}/u)
            if (words.size > 1) for (const word of part.trim().split(/\s+/)) expect(words).to.include(word)
          }
        }
      })

      it('keeps the order in a mixed batch', async () => {
        const [good, blocked, far, unknown, last] = [person(), person(), person(), person(), person()]
        fixture.world.setPhone({ channel: channel(), address: blocked, state: 'blocked' })
        fixture.world.setPhone({ channel: channel(), address: unknown, state: 'unknown' })
        const texts: [string, string][] = [
          [good, 'Первый'],
          [blocked, 'Второй'],
          [far, longText(5000)],
          [unknown, 'Второй'],
          [last, 'Первый'],
        ]
        const outcomes: Outcome[] = []
        const items = message(texts.map(([address, text]) => ({ address, text })))
        for (let i = 0; i < items.length; i += courier.batchSize)
          outcomes.push(...(await sendUntilDone(items.slice(i, i + courier.batchSize))))
        expect(kinds(outcomes)).to.deep.equal(['sent', 'rejected', 'sent', 'rejected', 'sent'])
        expect(acceptedBy(good)).to.have.length(1)
        expect(acceptedBy(blocked)).to.have.length(0)
        expect(acceptedBy(last)).to.have.length(1)
      })
    })

    describe('trouble', () => {
      it("passes the provider's slow-down on", async () => {
        const items = single(person())
        fixture.world.addFault({ channel: channel(), kind: 'throttle', seconds: 1 })
        const [outcome] = await send(items)
        if (!isPutOff(outcome)) throw new Error(`expected throttled, got ${JSON.stringify(outcome)}`)
        expect(outcome.kind).to.equal(fixture.eachIsProvider ?? 'throttled')
        expect(outcome.retryAfterMs).to.be.greaterThan(0)
        expect('reason' in outcome ? outcome.reason : outcome.detail).not.to.equal('')
        expect(accepted()).to.deep.equal([])
        fixture.world.clearFaults()
        expect(kinds(await sendUntilDone(items))).to.deep.equal(['sent'])
        expect(accepted()).to.have.length(1)
      })

      it('survives a disconnect in the middle of a send', async () => {
        const items = single(person())
        fixture.world.addFault({ channel: channel(), kind: 'disconnect', count: 1 })
        const [outcome] = await send(items)
        // a channel that folds resends may have tried again by itself
        expect(outcome?.kind).to.be.oneOf(
          courier.foldsResends ? ['throttled', 'unknown', 'not-sent', 'sent'] : ['throttled', 'unknown', 'not-sent'],
        )
        expect(accepted()).to.have.length(outcome?.kind === 'sent' ? 1 : 0)
        await untilReady()
        await expectWorks()
      })

      it('tells the truth when the answer is lost', async () => {
        const items = single(person())
        fixture.world.addFault({ channel: channel(), kind: 'reply-lost', count: 1 })
        const [outcome] = await send(items)
        expect(outcome?.kind).to.be.oneOf(courier.foldsResends ? ['unknown', 'sent'] : ['unknown'])
        if (courier.foldsResends) expect(kinds(await sendUntilDone(items))).to.deep.equal(['sent'])
        expect(accepted(), 'held once').to.have.length(1)
        await untilReady()
        await expectWorks()
      })

      it('ends within its deadline when nobody answers', async () => {
        fixture.world.addFault({ channel: channel(), kind: 'hang' })
        const hurried = fixture.build(shortDeadlineMs)
        await hurried.start(neverAborted)
        const begun = await until(async () => {
          const startedAt = performance.now()
          const [outcome] = await send(single(person()), neverAborted, hurried)
          // a part of its time is for beginning: who could not is to be sent to later, and that is no answer to what is asked here
          return !isPutOff(outcome) && { outcome, tookMs: performance.now() - startedAt }
        }, 'it has begun to send')
        await hurried.stop()
        expect(begun.outcome?.kind).to.equal('unknown')
        expect(begun.tookMs, 'much sooner than others').to.be.below(deadlineMs / 2)
        expect(accepted()).to.deep.equal([])
        fixture.world.clearFaults()
        await expectWorks()
      })

      it('ends soon when aborted in flight, and claims nothing', async () => {
        fixture.world.addFault({ channel: channel(), kind: 'hang', count: 1 })
        const abort = new AbortController()
        const sending = send(single(person()), abort.signal)
        await until(() => fixture.world.faults().length === 0, 'the provider has taken the message off the wire')
        const abortedAt = performance.now()
        abort.abort()
        expect(kinds(await sending)).to.deep.equal(['unknown'])
        expect(performance.now() - abortedAt).to.be.below(deadlineMs / 2)
        await expectWorks()
      })

      it('says that it is not ready while its line is cut, sends nothing and takes no rate, and is ready again by itself', async () => {
        expect(courier.readiness.notReady()).to.equal(undefined)
        if (fixture.eachIsProvider) return isPutOffWhileCut()
        const cutAt = Date.now()
        await fixture.line.refuse()
        const isNotSent = async () => (await send(single(person())))[0]?.kind === 'not-sent'
        await until(isNotSent, 'it says that it did not send')
        const { since = 0, why = '' } = courier.readiness.notReady() ?? {}
        expect(since).to.be.within(cutAt, Date.now())
        expect(why).not.to.equal('')
        let taken = 0
        pacer = {
          async take(units) {
            taken += units
          },
        }
        const outcomes = await send(
          message(Array.from({ length: 5 }, () => ({ address: person(), text: 'Нет линии' }))),
        )
        expect(new Set(kinds(outcomes))).to.deep.equal(new Set(['not-sent']))
        expect(taken).to.equal(0)
        pacer = openPacer
        const before = accepted().length
        await fixture.line.restore()
        await untilReady()
        expect(accepted()).to.have.length(before)
        await expectWorks()
      })

      it('outlives whatever bytes its provider says', async () => {
        const samples = [Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}'), Buffer.from('250 fine\r\n')]
        for (let seed = 1; seed <= 10; seed += 1) {
          const sending = send(single(person()))
          fixture.line.say(brokenBytes(seed, seed % 2 === 0 ? samples : []))
          fixture.line.cut()
          await sending
          await untilReady()
        }
        await expectWorks()
      })

      it('sends nothing while the rate allows none, and is not ambiguous about it', async () => {
        pacer = { take: (_units, _cls, signal) => new Promise((_resolve, reject) => onAbort(signal, reject)) }
        const abort = new AbortController()
        const sending = send(single(person()), abort.signal)
        abort.abort()
        expect(kinds(await sending)).to.deep.equal(['throttled'])
        expect(accepted()).to.deep.equal([])
        pacer = openPacer
        await expectWorks()
      })
    })

    describe('two processes of one account', () => {
      let second: Courier
      before(async () => {
        second = fixture.build(deadlineMs)
        await second.start(neverAborted)
      })
      after(() => second?.stop())

      it('send side by side', async () => {
        expect(second.account).to.equal(courier.account)
        const mine = message(Array.from({ length: 20 }, () => ({ address: person(), text: 'Из первого' })))
        const theirs = message(Array.from({ length: 20 }, () => ({ address: person(), text: 'Из второго' })))
        const both = [sendInBatches(mine, courier), sendInBatches(theirs, second)]
        expect(new Set(kinds((await Promise.all(both)).flat()))).to.deep.equal(new Set(['sent']))
        const wanted = [...mine, ...theirs].map(({ address, text }) => ({ channel: courier.channel, address, text }))
        expect(accepted()).to.have.deep.members(wanted)
      })

      it('take over from each other without a double, where the provider folds resends', async () => {
        if (!courier.foldsResends) return
        const items = single(person(), longText(5000))
        fixture.world.addFault({ channel: channel(), kind: 'reply-lost', count: 1 })
        await send(items)
        expect(kinds(await sendUntilDone(items, second))).to.deep.equal(['sent'])
        expect(
          seamless(
            accepted()
              .map((entry) => entry.text)
              .join(''),
          ),
        ).to.equal(seamless(items[0]?.text ?? ''))
      })
    })

    /** Nobody but whoever is at that address: the courier goes on with the others. */
    async function isPutOffWhileCut(): Promise<void> {
      await fixture.line.refuse()
      // one that goes onto a connection which is not known to be cut yet may have arrived
      const items = await until(async () => {
        const tried = single(person(), 'Нет линии')
        const [outcome] = await send(tried)
        return outcome?.kind === fixture.eachIsProvider && tried
      }, 'it says as what they wait')
      expect(courier.readiness.notReady()).to.equal(undefined)
      await fixture.line.restore()
      expect(kinds(await sendUntilDone(items))).to.deep.equal(['sent'])
      await expectWorks()
    }

    describe('after all that', () => {
      it('has not let a secret out', () => {
        const lines = log.text()
        for (const secret of fixture.secrets) expect(lines.includes(secret), 'a secret was logged').to.equal(false)
      })
    })

    async function sendInBatches(items: readonly Item[], by: Courier): Promise<Outcome[]> {
      const outcomes: Outcome[] = []
      for (let i = 0; i < items.length; i += by.batchSize)
        outcomes.push(...(await sendUntilDone(items.slice(i, i + by.batchSize), by)))
      return outcomes
    }
  })
}

type PutOff = Extract<Outcome, { kind: 'throttled' | 'not-taken' }>

const isPutOff = (outcome: Outcome | undefined): outcome is PutOff =>
  outcome?.kind === 'throttled' || outcome?.kind === 'not-taken'

function pick<T>(all: readonly T[], indexes: readonly number[]): T[] {
  return indexes.map((i) => all[i] as T)
}

function onAbort(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason)
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
}
