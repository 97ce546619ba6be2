/** What a message looks like on its way into schedule.lua. */

import type { ScheduleInput } from '../../src/history/history-scripts.ts'
import type { HistoryRef } from '../../src/index.ts'

export const ref: HistoryRef = { shard: '03', sender: 'dean', id: 'abcdefgh_-1' }

export const input: ScheduleInput = {
  issued: false,
  digest: 'd1',
  record: '["api","text",[],3,"00"]',
  audience: Buffer.from('p01p02'),
  size: 2,
  dueMs: 0,
  expiresMs: 0,
  class: 'normal',
  channels: [],
}

export const soon = (ms = 60_000) => Date.now() + ms
