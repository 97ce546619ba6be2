/**
 * Takes one person out of what a subscriber was told last, and of what is on its way to them. Its sequence stays: a receiver passes over
 * whatever is not above the last one it has handled.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { defineScript } from '../script.ts'

const eraseScript = defineScript('erase-told', {
  keys: ['views', 'sending'],
  args: ['resource', 'view', 'body', 'left'],
  reply: flagReply,
})

/** as notifiers write them; what else they have stays as it is */
interface Told {
  readonly sequence: number
  readonly atMs: number
  readonly view: Readonly<Record<string, unknown>> | null
  readonly inDoubt?: readonly string[]
}
interface Sending {
  readonly sequence: number
  readonly createdMs: number
  readonly body: string
  readonly after: Readonly<Record<string, unknown>> | null
}

/** @param key of what was told, or of what is on its way. @returns whether there was anything of them */
export async function eraseTold(redis: Redis, key: string, tells: (text: string) => boolean): Promise<boolean> {
  const id = key.slice(key.lastIndexOf(':') + 1)
  const places = { views: keys.subscriptionViews(id), sending: keys.subscriptionSending(id) }
  const [views, bodies] = await Promise.all([redis.hgetallBuffer(places.views), redis.hgetallBuffer(places.sending)])
  let found = false
  for (const resource of new Set([...Object.keys(views), ...Object.keys(bodies)])) {
    const [view, body] = [views[resource], bodies[resource]]
    const left = tells(resource) ? '' : leftOf(view && read<Told>(view), body && read<Sending>(body), tells)
    if (left === undefined) continue
    found = true
    // what a notifier has written meanwhile is found by the next walk
    await eraseScript(redis, places, { resource, view: view ?? '', body: body ?? '', left: left && pack(left) })
  }
  return found
}

/**
 * What is kept as told last where anything of them is to go. What is on its way goes with it, and may have arrived: the next has the number after it,
 * and tells every field.
 */
function leftOf(
  told: Told | undefined,
  sending: Sending | undefined,
  tells: (text: string) => boolean,
): Told | undefined {
  const fields = Object.entries(told?.view ?? {})
  const others = fields.filter((field) => !tells(JSON.stringify(field)))
  const isOnItsWay = sending !== undefined && (tells(sending.body) || tells(JSON.stringify(sending.after)))
  if (others.length === fields.length && !isOnItsWay) return undefined
  const view = told?.view === null ? null : Object.fromEntries(others)
  const inDoubt = sending && [...new Set([...Object.keys(sending.after ?? {}), ...(told?.inDoubt ?? [])])]
  const sequence = sending?.sequence ?? told?.sequence ?? 0
  return { atMs: sending?.createdMs ?? 0, ...told, sequence, view, ...(inDoubt ? { inDoubt } : {}) }
}

const read = <T>(packed: Buffer): T => JSON.parse(gunzipSync(packed).toString()) as T
const pack = (told: Told): Buffer => gzipSync(JSON.stringify(told))
