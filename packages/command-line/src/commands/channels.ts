import type { ChannelView, RetiredChannel } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Call } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

export const channels = defineCommand({
  name: 'channels',
  summary: 'The couriers of each channel, and what waits for it; pause, resume or retire one',
  parameters: [
    { name: 'action', optional: true, choices: ['pause', 'resume', 'retire'] },
    { name: 'channel', optional: true },
  ],
  options: {},
  exits: { 0: 'nothing is stuck; paused, resumed, retired', 1: 'something is' },
  async execute({ parameters: [action, channel], answer, client }) {
    if (action === undefined) return tellChannels(client(), answer)
    if (channel === undefined) throw new UsageError(`say which: ${action} <channel>; "fleet channels" lists them`)
    if (action === 'pause') {
      const paused = await client().pauseChannel(channel)
      answer(
        paused,
        () => `Paused ${channel} since ${paused.pausedSince}; resume it with: fleet channels resume ${channel}`,
      )
      return 0
    }
    if (action === 'resume') {
      await client().resumeChannel(channel)
      answer({ channel }, () => `Resumed ${channel}.`)
      return 0
    }
    const retired = await client().retireChannel(channel)
    answer(retired, () => `Retired ${channel}; ${remainingText(retired)}`)
    return 0
  },
})

type Answer = Call<Record<string, never>>['answer']

async function tellChannels(client: Client, answer: Answer): Promise<0 | 1> {
  const list = await client.channels()
  const stuck = [list.overdue, ...list.channels.map(({ backlog }) => backlog)].filter((each) => each.stuck)
  answer(list, () =>
    [
      table(
        [
          ['channel', 'state', 'couriers ready', 'people waiting', 'in progress', 'unclaimed', 'oldest'],
          ...list.channels.map(rowOf),
        ],
        {
          numbersFrom: 2,
        },
      ),
      ...list.channels.flatMap(({ couriers }) => couriers.flatMap(whyNotReady)),
      ...list.channels.flatMap(({ couriers }) => couriers.flatMap(howTuned)),
      `${list.settings.using} of ${list.settings.of} processes use version ${list.settings.version} of the settings`,
      ...list.moving.map(({ reason }) => `MOVING: ${plain(reason)}`),
      ...stuck.map(({ reason }) => `STUCK: ${plain(reason ?? 'deliveries overdue')}`),
    ].join('\n'),
  )
  return stuck.length === 0 ? 0 : 1
}

function remainingText({ remaining: { entries, people, oldestAt } }: RetiredChannel): string {
  if (entries === 0) return 'nothing waits for it.'
  return `still waiting for it: ${people} people in ${entries} piece(s), the first since ${oldestAt}.`
}

function rowOf({ channel, ready, couriers, backlog, paused: held }: ChannelView) {
  const byProvider = backlog.pausedForMs > 0 ? `paused for ${seconds(backlog.pausedForMs)}` : undefined
  const paused = held ? `paused by ${held.pausedBy}` : byProvider
  const state = paused ?? (ready ? 'ready' : 'not ready')
  const { waiting, inProgress, unclaimed, oldestUnclaimedMs } = backlog
  const readyCouriers = couriers.filter((courier) => courier.ready).length
  return [
    channel,
    state,
    `${readyCouriers} of ${couriers.length}`,
    waiting,
    inProgress,
    unclaimed,
    seconds(oldestUnclaimedMs),
  ]
}

function whyNotReady({ name, notReady }: ChannelView['couriers'][number]): string[] {
  if (!notReady) return []
  return [`${name} is not ready since ${notReady.since}: ${plain(notReady.why)}`]
}

function howTuned({ name, pace, startedWith }: ChannelView['couriers'][number]): string[] {
  if (!pace || !startedWith) return []
  const names = ['batchSize', 'concurrency', 'window', 'perSecond'] as const
  const changed = names.filter((each) => pace[each] !== startedWith[each])
  const words = changed.map((each) => `${each} ${pace[each] ?? 'off'} (started with ${startedWith[each] ?? 'off'})`)
  return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
