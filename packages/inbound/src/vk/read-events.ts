/**
 * Reads the community's events by long poll. vk-io's own loop hands events out without waiting for what is done about them,
 * and forgets at its end how far it was; here the next ones are asked for when these are done, and the place is noted, so
 * that what people write while nobody reads is read afterwards.
 */
import { type Log, seldom, sleep } from '@courier-fleet/process'
import type { Notes } from '../notes.ts'
import type { Community, PollServer } from './community.ts'

export interface VkEvent {
  readonly type: string
  readonly event_id: string
  readonly object: unknown
}

/** how far the events are read */
export interface Place {
  readonly ts: string
}

export interface ReadEventsDeps {
  readonly community: Pick<Community, 'pollServer'>
  readonly groupId: number
  readonly places: Notes<Place>
  /** Rejects when the event was not dealt with: it comes again. */
  readonly onEvent: (event: VkEvent) => Promise<void>
  readonly log: Log
}

type Answer =
  | { readonly ts: string | number; readonly updates: readonly VkEvent[] }
  /** 1: events were lost, go on from `ts` · 2: the key has lapsed · 3: all of it has */
  | { readonly failed: number; readonly ts?: string | number }

const waitSeconds = 25
const graceSeconds = 10
const retryMs = 1000

/** Where to begin: what people write from now on is read, or from where it was read before. */
export async function findPlace({ community, groupId, places }: ReadEventsDeps): Promise<void> {
  if (await places.get(String(groupId))) return
  const { ts } = await community.pollServer(groupId)
  await places.put(String(groupId), { ts })
}

/** Resolves when aborted. */
export async function readEvents(deps: ReadEventsDeps, signal: AbortSignal): Promise<void> {
  const { community, groupId, places, onEvent, log } = deps
  const placeName = String(groupId)
  const warn = seldom((fields, text) => log.warn(fields, text))
  let server: PollServer | undefined
  let ts = (await places.get(placeName))?.ts

  async function moveTo(place: string): Promise<void> {
    if (place === ts) return
    await places.put(placeName, { ts: place })
    ts = place
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
      if (answer.failed === 3) ts = undefined
      return
    }
    for (const event of answer.updates) await onEvent(event)
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
