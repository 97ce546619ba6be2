/**
 * Asks the addresses that messages want asked right before they are sent. Of all processes and channels one asks; for five seconds its
 * answer is that of all of them (store/src/history/rechecks.ts). A question takes as long as it takes in the background: whoever wants the
 * answer waits a moment, and a slow address keeps no slot from other messages.
 */
import {
  type HistoryRef,
  historyKeyOf,
  type Recheck,
  type RecheckQuestion,
  recheckPageSize,
} from '@courier-fleet/api-types'
import { type Clock, sleep } from '@courier-fleet/process'
import { claimRecheck, keepRecheck, keys, type RecheckAnswer, type Redis, readAudience } from '@courier-fleet/store'
import { type Answer, type Breakers, endpointOf, type GuardedClient, signedHeaders } from '@courier-fleet/webhooks'
import { nanoid } from 'nanoid'
import { type RecheckReading, readRecheckAnswer } from './read-recheck-answer.ts'

export interface Question {
  readonly ref: HistoryRef
  readonly recheck: Recheck
  /** of the audience; 0 where the question is about the message */
  readonly page: number
  /** bytes an id in the audience */
  readonly width: number
}

export interface HeldAnswer {
  readonly answer: RecheckAnswer
  /** it holds until then, by the clock of the jobs */
  readonly untilMs: number
}

export interface Rechecks {
  /** @returns undefined where it is still being asked. @param signal aborted: there is no time to wait for that */
  answer(question: Question, signal: AbortSignal): Promise<HeldAnswer | undefined>
  /** Gives up what is being asked. */
  stop(): Promise<void>
}

export interface RechecksDeps {
  readonly redis: Redis
  readonly client: GuardedClient
  /** a host that has failed again and again is left alone for a while: that is silence, too */
  readonly breakers: Pick<Breakers, 'ask' | 'tell' | 'giveBack'>
  /** the sender's, the newest first. @throws Error why there is none */
  readonly secretsOf: (sender: string) => Promise<readonly string[]>
  /** of the jobs: one that nobody sets */
  readonly clock: Clock
  /** Unix ms */
  readonly wall: Clock
  readonly logThrottled: (fields: object, text: string) => void
}

interface Put {
  readonly answer: Answer
  readonly people: readonly string[] | undefined
}

const leftAlone: RecheckReading = {
  answer: { kind: 'silent' },
  silence: 'it has failed again and again, and is left alone for a while',
}

/** of a question, from the name to the last byte */
const timeoutMs = 5_000
/** whoever wants an answer waits for it so long */
const waitMs = 1_000
/** and looks so often whether another process has it */
const lookMs = 100
/** of `ok`, with blanks; of a page of names */
const [wordBytes, pageBytes] = [1_024, 65_536]

export function createRechecks(deps: RechecksDeps): Rechecks {
  return new SharedRechecks(deps)
}

class SharedRechecks implements Rechecks {
  readonly #deps: RechecksDeps
  readonly #stopping = new AbortController()
  /** by key: what this process is asking */
  readonly #asking = new Map<string, Promise<void>>()

  constructor(deps: RechecksDeps) {
    this.#deps = deps
  }

  async answer(question: Question, signal: AbortSignal): Promise<HeldAnswer | undefined> {
    const { redis, clock } = this.#deps
    const { ref, page } = question
    const key = keys.recheck(ref, page)
    const giveUpMs = clock.now() + waitMs
    for (;;) {
      const lookedMs = clock.now()
      const token = nanoid(12)
      const claim = await claimRecheck(redis, ref, page, token)
      if (claim.kind === 'answered') return { answer: claim.answer, untilMs: lookedMs + claim.leftMs }
      if (claim.kind === 'own') this.#asking.set(key, this.#ask(question, token))
      const leftMs = giveUpMs - clock.now()
      if (leftMs <= 0 || signal.aborted) return undefined
      await Promise.race([sleep(Math.min(lookMs, leftMs), signal), this.#asking.get(key)].filter(Boolean))
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#deps.client.close()
    await Promise.all(this.#asking.values())
  }

  /** Never rejects: what could not be kept lapses, and is asked again. */
  async #ask(question: Question, token: string): Promise<void> {
    const { redis, clock, logThrottled } = this.#deps
    const { ref, page } = question
    const startedMs = clock.now()
    try {
      const { answer, silence } = await this.#reading(question)
      if (this.#stopping.signal.aborted) return
      await keepRecheck(redis, ref, page, token, { answer, silence, tookMs: clock.now() - startedMs })
    } catch (error) {
      logThrottled({ err: error }, 'a recheck could not be asked; it is tried again')
    } finally {
      this.#asking.delete(keys.recheck(ref, page))
    }
  }

  /** Of each sender and host for itself: nobody's failures are anybody else's. */
  async #reading(question: Question): Promise<RecheckReading> {
    const { breakers } = this.#deps
    const { ref, recheck } = question
    const host = endpointOf(`recheck:${ref.sender}`, new URL('/', recheck.url).href)
    const leave = await breakers.ask(host)
    if (leave.kind === 'wait' || leave.kind === 'off') return leftAlone
    const { answer, people } = await this.#put(question)
    if (this.#stopping.signal.aborted) {
      if (leave.kind === 'probe') await breakers.giveBack(host)
      return leftAlone
    }
    const reading = readRecheckAnswer(answer, people)
    const isWell = answer.kind === 'answer' && answer.status < 500
    const said = reading.silence ?? reading.answer.kind
    await breakers.tell(host, { answer: isWell ? 'ok' : 'failed', said, isProbe: leave.kind === 'probe' })
    return reading
  }

  async #put({ ref, recheck, page, width }: Question): Promise<Put> {
    const { redis, client, secretsOf, wall } = this.#deps
    const [[due, size], secrets] = await Promise.all([
      redis.hmget(keys.history(ref), 'due', 'size'),
      secretsOf(ref.sender),
    ])
    const [from, to] = [page * recheckPageSize, Math.min((page + 1) * recheckPageSize, Number(size))]
    const about = recheck.per === 'recipient' ? await readAudience(redis, ref, width, from, to) : undefined
    const atMs = wall.now()
    const id = `recheck_${nanoid()}`
    const times = { created: new Date(atMs).toISOString(), due: new Date(Number(due)).toISOString() }
    const question: RecheckQuestion = { id, type: 'recheck', ...times, history: historyKeyOf(ref), people: about }
    const body = JSON.stringify(question)
    const headers = { 'content-type': 'application/json', ...signedHeaders({ id, secrets, atMs, body }) }
    const maxAnswerBytes = about ? pageBytes : wordBytes
    const post = { headers, body, timeoutMs, maxAnswerBytes }
    return { answer: await client.post(recheck.url, post, this.#stopping.signal), people: about }
  }
}
