/** Changes of a value that somebody else may have changed since it was read: theirs stays. */
import type { Redis } from './connection/client.ts'
import { flagReply } from './replies.ts'
import { defineScript } from './script.ts'

const replaceScript = defineScript('replace', {
  keys: ['value'],
  args: ['found', 'wanted', 'keptMs'],
  reply: flagReply,
})

/** @returns whether it is so now; false where it was not what was found any more */
export const replaceValue = (
  redis: Redis,
  key: string,
  found: string,
  { wanted, keptMs }: { readonly wanted: string; readonly keptMs: number },
): Promise<boolean> => replaceScript(redis, { value: key }, { found, wanted, keptMs })

/** Safe to repeat. */
export const removeValue = async (redis: Redis, key: string, found: string): Promise<void> => {
  await replaceScript(redis, { value: key }, { found, wanted: '', keptMs: 0 })
}
