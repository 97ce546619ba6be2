/**
 * How much of Redis one owner may fill: how often they call what changes something, and how many messages and bytes a day they
 * have accepted, cancelled ones included. Daily limits (quota.ts) are about whom one writes to; these are about memory.
 */
import { Problem, type Role } from '@courier-fleet/api-types'
import { defineScript, keys, numberReply, type Redis } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import type { Rules } from './rules.ts'

const dayMs = 86_400_000
/** of one owner, whatever their role */
const maxFilesADay = 500
/** of calls, that may be made at once */
const burstMs = 30_000

const takeCallScript = defineScript('take-call', { keys: ['calls'], args: ['eachMs', 'burstMs'], reply: numberReply })
const countStoredScript = defineScript('count-stored', {
  keys: ['stored'],
  args: ['messages', 'bytes', 'maxMessages', 'maxBytes', 'dayMs'],
  reply: numberReply,
})

export interface Allowances {
  /** Counts a call that changes something. @throws Problem 429 `too-many-calls` */
  takeCall(caller: Caller): Promise<void>
  /** Whether what they store is counted. */
  isStorageLimited(by: Caller): boolean
  /** Counts what is about to be stored. @throws Problem 429 `too-much-today` */
  store(by: Caller, messages: number, bytes: number): Promise<void>
  /** Counts a file that is about to be uploaded. @throws Problem 429 `too-many-files` */
  storeFile(by: Caller, bytes: number): Promise<void>
}

export function createAllowances({ redis, rules }: { redis: Redis; rules: Rules }): Allowances {
  return {
    async takeCall({ owner, role }) {
      const perSecond = rules.callsPerSecond?.[role]
      if (perSecond === undefined) return
      const waitMs = await takeCallScript(redis, { calls: keys.calls(owner) }, { eachMs: 1000 / perSecond, burstMs })
      refuse('too-many-calls', `you may make ${perSecond} calls a second that change something`, waitMs)
    },

    isStorageLimited: ({ role }) => rules.stored?.[role as Role] !== undefined,

    async store({ owner, role }, messages, bytes) {
      const max = rules.stored?.[role as Role]
      if (max === undefined) return
      const waitMs = await countStoredScript(
        redis,
        { stored: keys.stored(owner) },
        { messages, bytes, maxMessages: max.messages, maxBytes: max.bytes, dayMs },
      )
      const detail = `you may have ${max.messages} messages of ${max.bytes} bytes together accepted a day, cancelled ones included`
      refuse('too-much-today', detail, waitMs)
    },

    async storeFile({ owner, role }, bytes) {
      const maxBytes = rules.files?.bytesADay[role as Role]
      if (maxBytes === undefined) return
      const waitMs = await countStoredScript(
        redis,
        { stored: keys.storedFiles(owner) },
        { messages: 1, bytes, maxMessages: maxFilesADay, maxBytes, dayMs },
      )
      const detail = `you may upload ${maxFilesADay} files of ${Math.round(maxBytes / 1_048_576)} MB together a day`
      refuse('too-many-files', detail, waitMs)
    },
  }
}

function refuse(code: string, detail: string, waitMs: number): void {
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Problem(429, code, `${detail}; again in ${seconds} s`, undefined, seconds)
}
