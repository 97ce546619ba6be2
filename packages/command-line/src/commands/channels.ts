import type { ChannelView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'

export const channels = defineCommand({
  name: 'channels',
  summary: 'The couriers of each channel, and what waits for it',
  options: {},
  exits: { 0: 'nothing is stuck', 1: 'something is' },
  async execute({ answer, client }) {
    const list = await client().channels()
    const stuck = [list.overdue, ...list.channels.map(({ backlog }) => backlog)].filter((each) => each.stuck)
    answer(list, () =>
      [
        table([['channel', 'state', 'couriers', 'waiting', 'in progress', 'oldest'], ...list.channels.map(rowOf)], {
          numbersFrom: 2,
        }),
        ...stuck.map(({ reason }) => `STUCK: ${plain(reason ?? 'deliveries overdue')}`),
      ].join('\n'),
    )
    return stuck.length === 0 ? 0 : 1
  },
})

function rowOf({ channel, ready, couriers, backlog }: ChannelView) {
  const paused = backlog.pausedForMs > 0 ? `paused for ${seconds(backlog.pausedForMs)}` : undefined
  const state = paused ?? (ready ? 'ready' : 'not ready')
  return [channel, state, couriers.length, backlog.waiting, backlog.inProgress, seconds(backlog.oldestWaitingMs)]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
