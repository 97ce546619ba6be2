/**
 * Reads the community's events by long poll. vk-io's own loop hands events out without waiting for what is done about them,
 * and forgets at its end how far it was; here the position is noted together with the events that were read and are not dealt
 * with yet, so that reading goes on while somebody waits, and what people write while nobody reads is read afterwards.
 */
import { createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import type { Notes } from '../notes.ts'
import type { Community, PollServer } from './community.ts'
import type { VkEvent } from './event.ts'
import { createInHand, type InHandDeps } from './in-hand.ts'

/** How far the events are read, and which of those before are not dealt with yet. */
export interface Position {
  readonly ts: string
  /** absent: none */
  readonly left?: readonly VkEvent[]
}

export interface ReadEventsDeps extends Pick<InHandDeps, 'worksOf' | 'deal' | 'setAside' | 'tries'> {
  readonly community: Pick<Community, 'pollServer'>
  readonly groupId: number
  readonly positions: Notes<Position>
  readonly log: Log
}

type Answer =
  | { readonly ts: string | number; readonly updates: readonly VkEvent[] }
  /** 1: events were lost, go on from `ts` · 2: the key has lapsed · 3: all of it has */
  | { readonly failed: number; readonly ts?: string | number }

const waitSeconds = 25
const graceSeconds = 10
const retryMs = 1000
/** VK keeps those that are not read meanwhile */
const maxInHand = 1000

/** Notes where to begin when it has never been read: what people write from now on. */
export async function notePosition({
  community,
  groupId,
  positions,
}: Pick<ReadEventsDeps, 'community' | 'groupId' | 'positions'>): Promise<void> {
  if (await positions.get(String(groupId))) return
  const { ts } = await community.pollServer(groupId)
  await positions.put(String(groupId), { ts })
}

/** Resolves when aborted. */
export async function readEvents(deps: ReadEventsDeps, signal: AbortSignal): Promise<void> {
  const { community, groupId, positions, log } = deps
  const positionName = String(groupId)
  const warn = createThrottledLog((fields, text) => log.warn(fields, text))
  const note = await positions.get(positionName)
  let server: PollServer | undefined
  let ts = note?.ts

  const keep = createKeeper(async () => {
    if (ts !== undefined) await positions.put(positionName, { ts, left: inHand.left() })
  })
  const tryToKeep = () => keep().catch((error: unknown) => warn({ err: error }, 'the position could not be noted'))
  const inHand = createInHand({ ...deps, onDone: () => void tryToKeep() }, signal)

  async function moveTo(next: string, events: readonly VkEvent[] = []): Promise<void> {
    if (next === ts) return
    inHand.add(events)
    ts = next
    await keep()
  }

  async function readOnce(): Promise<void> {
    server ??= await community.pollServer(groupId)
    if (ts === undefined) await moveTo(server.ts)
    const answer = await poll(server, ts as string, signal)
    if (!('failed' in answer)) return moveTo(String(answer.ts), answer.updates)
    if (answer.failed === 1 && answer.ts !== undefined) {
      log.warn('VK keeps no events that far back; some that people wrote may not have been read')
      return moveTo(String(answer.ts))
    }
    server = undefined
    if (answer.failed === 3) {
      log.warn('VK has lost how far the events were read; some that people wrote may not have been read')
      ts = undefined
    }
  }

  inHand.add(note?.left ?? [])
  while (!signal.aborted) {
    try {
      if (inHand.left().length >= maxInHand) {
        warn({}, 'too many events wait to be dealt with; no more are read until some are')
        await sleep(retryMs, signal)
      } else await readOnce()
    } catch (error) {
      if (signal.aborted) break
      warn({ err: error }, 'events could not be read; trying again')
      await sleep(retryMs, signal)
    }
  }
  await inHand.ended()
  await tryToKeep()
}

/** Writes one after the other, each with what there is when it begins; who asks while one waits has that one. */
function createKeeper(write: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () => {
    waiting ??= last.then(() => {
      waiting = undefined
      return write()
    })
    last = waiting.catch(() => {})
    return waiting
  }
}

async function poll({ server, key }: PollServer, ts: string, signal: AbortSignal): Promise<Answer> {
  const url = new URL(server)
  for (const [name, value] of Object.entries({ act: 'a_check', key, ts, wait: String(waitSeconds) }))
    url.searchParams.set(name, value)
  const limit = new AbortController()
  const giveUp = () => limit.abort(new Error('the long poll was not answered'))
  const timer = setTimeout(giveUp, (waitSeconds + graceSeconds) * 1000)
  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  try {
    const response = await fetch(url, { signal: limit.signal })
    if (!response.ok) throw new Error(`the long poll answered ${response.status}`)
    return (await response.json()) as Answer
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}
