/**
 * Takes one person out of what a subscriber was told last, and of what is on its way to them. Its sequence stays: a receiver passes over
 * whatever is not above the last one it has handled. Where the id of what it was told of names them, it stays with the subscription.
 */
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import { packTold, type Sending, type Told, toldWithout, unpackTold } from '../told.ts'

const eraseScript = defineScript('erase-told', {
  keys: ['views', 'sending', 'record'],
  args: ['resource', 'view', 'body', 'left', 'sequence'],
  reply: flagReply,
})

/** @param key of what was told, or of what is on its way. @returns whether there was anything of them */
export async function eraseTold(redis: Redis, key: string, tells: (text: string) => boolean): Promise<boolean> {
  const id = key.slice(key.lastIndexOf(':') + 1)
  const places = {
    views: keys.subscriptionViews(id),
    sending: keys.subscriptionSending(id),
    record: keys.subscription(id),
  }
  const [views, bodies] = await Promise.all([redis.hgetallBuffer(places.views), redis.hgetallBuffer(places.sending)])
  let found = false
  for (const resource of new Set([...Object.keys(views), ...Object.keys(bodies)])) {
    const [view, body] = [views[resource], bodies[resource]]
    const told = view && unpackTold<Told>(view)
    const sending = body && unpackTold<Sending>(body)
    const left = tells(resource) ? '' : leftOf(told, sending, tells)
    if (left === undefined) continue
    found = true
    const sequence = (sending ?? told)?.sequence ?? 0
    // what a notifier has written meanwhile is found by the next walk
    const read = { resource, view: view ?? '', body: body ?? '' }
    await eraseScript(redis, places, { ...read, left: left && packTold(left), sequence })
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
  const before = sending ? toldWithout(sending, told, told?.atMs ?? sending.createdMs) : told
  return before && { ...told, ...before, view }
}
