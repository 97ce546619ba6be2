/**
 * Reads the community's events by long poll. vk-io's own loop hands events out without waiting for what is done about them,
 * and forgets at its end how far it was; here the next ones are asked for when these are done, and the position is noted,
 * so that what people write while nobody reads is read afterwards.
 */
import { createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import type { Notes } from '../notes.ts'
import type { Community, PollServer } from './community.ts'

export interface VkEvent {
  readonly type: string
  readonly event_id: string
  readonly object: unknown
}

/** how far the events are read */
export interface Position {
  readonly ts: string
}

export interface ReadEventsDeps {
  readonly community: Pick<Community, 'pollServer'>
  readonly groupId: number
  readonly positions: Notes<Position>
  /** Rejects when one of them was not dealt with: all that came together come again. */
  readonly onEvents: (events: readonly VkEvent[]) => Promise<void>
  readonly log: Log
}

type Answer =
  | { readonly ts: string | number; readonly updates: readonly VkEvent[] }
  /** 1: events were lost, go on from `ts` · 2: the key has lapsed · 3: all of it has */
  | { readonly failed: number; readonly ts?: string | number }

const waitSeconds = 25
const graceSeconds = 10
const retryMs = 1000

/** Notes where to begin when it has never been read: what people write from now on. */
export async function notePosition({ community, groupId, positions }: ReadEventsDeps): Promise<void> {
  if (await positions.get(String(groupId))) return
  const { ts } = await community.pollServer(groupId)
  await positions.put(String(groupId), { ts })
}

/** Resolves when aborted. */
export async function readEvents(deps: ReadEventsDeps, signal: AbortSignal): Promise<void> {
  const { community, groupId, positions, onEvents, log } = deps
  const positionName = String(groupId)
  const warn = createThrottledLog((fields, text) => log.warn(fields, text))
  let server: PollServer | undefined
  let ts = (await positions.get(positionName))?.ts

  async function moveTo(next: string): Promise<void> {
    if (next === ts) return
    await positions.put(positionName, { ts: next })
    ts = next
  }

  async function readOnce(): Promise<void> {
    server ??= await community.pollServer(groupId)
    if (ts === undefined) await moveTo(server.ts)
    const answer = await poll(server, ts as string, signal)
    if ('failed' in answer) {
      if (answer.failed === 1 && answer.ts !== undefined) {
        log.warn('VK keeps no events that far back; some that people wrote may not have been read')
        return moveTo(String(answer.ts))
      }
      server = undefined
      if (answer.failed === 3) {
        log.warn('VK has lost how far the events were read; some that people wrote may not have been read')
        ts = undefined
      }
      return
    }
    await onEvents(answer.updates)
    await moveTo(String(answer.ts))
  }

  while (!signal.aborted) {
    try {
      await readOnce()
    } catch (error) {
      if (signal.aborted) return
      warn({ err: error }, 'events could not be read or dealt with; trying again')
      await sleep(retryMs, signal)
    }
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
