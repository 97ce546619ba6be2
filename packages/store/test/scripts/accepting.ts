/** What a message looks like on its way into schedule.lua. */

import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { type ScheduleInput, schedule } from '../../src/history/history-scripts.ts'

export const ref: HistoryRef = { shard: '03', sender: 'dean', id: 'abcdefgh_-1' }

export const input: ScheduleInput = {
  ref,
  issued: false,
  digest: 'd1',
  record: 'p01p02["api","text",[],3]',
  audience: '',
  size: 2,
  dueMs: 0,
  expiresMs: 0,
  class: 'normal',
  type: '',
  plan: '',
  channels: [],
  about: '',
  secret: '',
  steps: '',
  ceiling: undefined,
  confirm: false,
  deadlineMs: undefined,
}

/** @returns of each whether it was accepted now, or why not */
export async function scheduleAll(
  redis: Redis,
  shard: string,
  messages: readonly ScheduleInput[],
): Promise<(boolean | Error)[]> {
  return (await schedule(redis, shard, messages)).map((put) => (put instanceof Error ? put : put.created))
}

/** The case of one. @throws whatever it is refused with */
export async function scheduleOne(redis: Redis, message: ScheduleInput): Promise<boolean> {
  const [answer] = await scheduleAll(redis, message.ref.shard, [message])
  if (answer instanceof Error) throw answer
  return answer as boolean
}

export const soon = (ms = 60_000) => Date.now() + ms
