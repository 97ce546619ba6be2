/** Takes one person out of all that Redis holds, key by key. Whatever ends it, the same again from the beginning does what is left. */
import { type Redis, scanKeys } from '../connection/client.ts'
import { createEraseKey, type Erased } from './erase-key.ts'
import { kindOf, places } from './places.ts'

/** looked through in one step of Redis, and worked on at once */
const aStep = 500

/** What notifiers know, and are told of: by it they tell systems that somebody is gone. */
const toBeTold: ReadonlySet<string> = new Set(
  'dirty subscription-due subscription-again subscription-views subscription-sending'.split(' '),
)

/**
 * @param goOn asked between steps: who may not go on any more, throws
 * @param isTold systems have had time to be told: what they are told by is looked through, too
 * @returns of how many keys there was anything
 */
export async function eraseEverywhere(
  redis: Redis,
  whose: Erased,
  goOn: () => Promise<void>,
  isTold: boolean,
): Promise<number> {
  const eraseKey = createEraseKey(redis, whose)
  // first the messages: what is found by a place in one of them asks which places are nobody's
  const inMessages = await walk(redis, 'history:{*', eraseKey, goOn)
  const isElsewhere = (key: string) => {
    const kind = kindOf(key)
    return kind !== 'history' && places.get(kind) !== 'nobody' && (isTold || !toBeTold.has(kind))
  }
  return inMessages + (await walk(redis, '*', async (key) => isElsewhere(key) && eraseKey(key), goOn))
}

async function walk(
  redis: Redis,
  pattern: string,
  eraseKey: (key: string) => Promise<boolean>,
  goOn: () => Promise<void>,
): Promise<number> {
  let count = 0
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    await goOn()
    const { found, next }: { found: string[]; next?: string } = await scanKeys(redis, cursor, pattern, aStep)
    const erased = await Promise.all(found.map(eraseKey))
    count += erased.filter(Boolean).length
    cursor = next
  }
  return count
}
