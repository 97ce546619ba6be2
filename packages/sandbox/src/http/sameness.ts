/** Calls with the same id: each must be the first of them again, whatever became of it, in all but the time of the try and the signature. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Remembered } from '../remembered.ts'
import type { World } from '../world.ts'

const rememberedIds = 100_000
const ofTheTry: ReadonlySet<string> = new Set(['webhook-timestamp', 'webhook-signature'])

export interface Said {
  readonly address: string
  /** empty where the caller gave none: then no call is another's */
  readonly id: string
  readonly body: string
}

/** What is found is entered into the World. @returns whether a call says what those before it said */
export function createSameness(world: World): (request: Pick<IncomingMessage, 'headers'>, said: Said) => boolean {
  const first = new Remembered<string>(rememberedIds)
  return ({ headers }, { address, id, body }) => {
    const { calls } = world
    calls.came += 1
    if (id === '') return true
    const key = `${address} ${id}`
    const digest = digestOf(headers, body)
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, digest)
      return true
    }
    calls.repeated += 1
    if (before === digest) return true
    calls.changed += 1
    return false
  }
}

function digestOf(headers: IncomingMessage['headers'], body: string): string {
  const kept = Object.entries(headers).filter(([name]) => !ofTheTry.has(name))
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([sorted, body]))
    .digest('base64')
}
