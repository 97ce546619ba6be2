/**
 * Whether an endpoint is called at all: one that has failed again and again is left alone, and then asked by one process alone. All
 * processes share it.
 *
 *   closed ── 5 failures in a row, or half of ≥ 10 in a minute ─► open for 30 s
 *   open ── the time is over ─► whoever asks first probes, everyone else waits
 *   the probe ── ok ─► closed · failed ─► open for twice as long, up to 15 min
 *   any ── an answer that asks for a pause ─► left alone for so long · nothing but failures for 5 days, or somebody says so ─► off, until it is put on again
 *
 * A crash, or a lost reply, leaves
 *
 *   before an ask         nothing
 *   after a probe's ask   a probe nobody makes: 20 s later another process may; whoever lives and makes none gives it back
 *   before a tell         a failure that is not counted: the endpoint is called once more than need be
 *   off, nobody told yet  whoever asks next sees that, and tells
 *   open, not listed yet  operators see it once it fails again (open-breakers.ts)
 *
 * Where nothing is known of an endpoint it is called: a Redis that has forgotten costs a few calls in vain, and no message.
 */
import { hash } from 'node:crypto'
import { defineScript, keys, type Redis, textReply } from '@courier-fleet/store'
import { channel } from './breaker-view.ts'
import { listOpen } from './open-breakers.ts'

const minute = 60_000
const day = 24 * 60 * minute
const probeMs = 20_000

export interface BreakerTiming {
  readonly inARow: number
  readonly ofMinute: number
  readonly firstMs: number
  readonly longestMs: number
  readonly offAfterMs: number
}

/** @param scale HTTP_RETRY_SCALE: where nobody waits for hours, an endpoint is not left alone for minutes */
export const breakerTiming = (scale = 1): BreakerTiming => ({
  inARow: 5,
  ofMinute: 10,
  firstMs: 30_000 * scale,
  longestMs: 15 * minute * scale,
  offAfterMs: 5 * day * scale,
})

/** `off`: nobody calls it until somebody puts it on again */
export type Leave =
  | { readonly kind: 'go' | 'probe' }
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'off'
      readonly sinceMs: number
      /** of nothing but failures; undefined: it was switched off by hand */
      readonly failingSinceMs: number | undefined
      readonly isTold: boolean
    }

export interface Told {
  readonly answer: 'ok' | 'failed' | 'left-alone'
  /** in short: a status, or why there was none */
  readonly said: string
  /** of `left-alone` */
  readonly pauseMs?: number
  readonly isProbe: boolean
  /** where it is, for operators, who see which are open; absent of what is of no channel: its owner sees it elsewhere */
  readonly host?: string
}

export type TellState = 'closed' | 'open' | 'off' | 'off-now'

export interface Breakers {
  /** Whether nothing speaks against a call, as one plain read: for whoever reads other things in the same round trip. */
  seemsClosed(endpoint: string): Promise<boolean>
  ask(endpoint: string): Promise<Leave>
  /** Whoever was to probe made no call, or one that says nothing of the endpoint: the next to ask probes. */
  giveBack(endpoint: string): Promise<void>
  /** @returns `off-now` to one */
  tell(endpoint: string, told: Told): Promise<TellState>
  /** Whoever it concerns knows that it is off since then. */
  told(endpoint: string, sinceMs: number): Promise<void>
}

const askScript = defineScript('breaker-ask', {
  keys: ['breaker'],
  args: ['probeMs'],
  reply: (reply): Leave => {
    const [kind, ms, since, told] = (reply as unknown[]).map((part) => textReply(part))
    if (kind === 'wait') return { kind, ms: Number(ms) }
    if (kind === 'off') {
      return { kind, sinceMs: Number(ms), failingSinceMs: since ? Number(since) : undefined, isTold: told === '1' }
    }
    return { kind: kind === 'probe' ? 'probe' : 'go' }
  },
})
const tellScript = defineScript('breaker-tell', {
  keys: ['breaker'],
  args: [
    'answer',
    'said',
    'pauseMs',
    'isProbe',
    'inARow',
    'ofMinute',
    'firstMs',
    'longestMs',
    'offAfterMs',
    'keptMs',
    'keptFailingMs',
    'host',
  ],
  reply: (reply) => {
    const [state, opened] = (reply as unknown[]).map((part) => textReply(part))
    return { state: state as TellState, opened: Number(opened) }
  },
})
const toldScript = defineScript('breaker-told', { keys: ['breaker'], args: ['off'], reply: Number })

const offScript = defineScript('breaker-off', { keys: ['breaker'], args: ['isOwn', 'host'], reply: textReply })

const maxSaidLength = 120

/**
 * A URL without what is behind its `?`, and whose it is: what calls of one system differ in stands there, and nobody's failures are
 * anybody else's. @param of as of webhook secrets
 */
export function endpointOf(of: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return hash('sha256', `${of} ${origin}${pathname}`, 'base64url').slice(0, 22)
}

export function createBreakers(redis: Redis, timing: BreakerTiming = breakerTiming()): Breakers {
  const { inARow, ofMinute, firstMs, longestMs, offAfterMs } = timing
  const fixed = { inARow, ofMinute, firstMs, longestMs, offAfterMs, keptMs: day, keptFailingMs: 7 * day }
  const keyOf = (endpoint: string) => ({ breaker: keys.breaker(channel, endpoint) })
  return {
    async seemsClosed(endpoint) {
      const known = await redis.hmget(keyOf(endpoint).breaker, 'off', 'until', 'step')
      return known.every((field) => field === null)
    },
    ask: (endpoint) => askScript(redis, keyOf(endpoint), { probeMs }),
    async giveBack(endpoint) {
      await redis.hdel(keyOf(endpoint).breaker, 'probe')
    },
    async tell(endpoint, { answer, said, pauseMs = 0, isProbe, host = '' }) {
      const told = { answer, said: said.slice(0, maxSaidLength), pauseMs, isProbe: isProbe ? 1 : 0, host }
      const { state, opened } = await tellScript(redis, keyOf(endpoint), { ...told, ...fixed })
      if (host !== '' && state !== 'closed') await listOpen(redis, channel, endpoint, opened)
      return state
    },
    async told(endpoint, sinceMs) {
      await toldScript(redis, keyOf(endpoint), { off: sinceMs })
    },
  }
}

/** Nobody calls it any more. @param isOwn whoever it concerns says so, and need not be told @returns whether it was not off yet */
export async function switchOff(redis: Redis, endpoint: string, host: string, isOwn: boolean): Promise<boolean> {
  const off = await offScript(redis, { breaker: keys.breaker(channel, endpoint) }, { isOwn: isOwn ? 1 : 0, host })
  if (off === '') return false
  await listOpen(redis, channel, endpoint, Number(off))
  return true
}

/** It is called again: its owner says that it works, or has given another address. */
export async function forgetBreaker(redis: Redis, endpoint: string): Promise<boolean> {
  return (await redis.del(keys.breaker(channel, endpoint))) === 1
}
