/** `fleet streams`: the work streams as Redis has them. */
import type { StreamList } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

type Stream = StreamList['streams'][number]

export const streams = defineCommand({
  name: 'streams',
  summary: 'The work streams of each channel as Redis has them: entries, claims, lag and consumers; for operators',
  parameters: [],
  options: {
    channel: { type: 'string', value: 'CHANNEL', about: 'of this channel only' },
    each: { type: 'boolean', about: 'every stream by its key; in sums of channel and class when absent' },
  },
  exits: { 0: 'told' },
  async execute({ values: { channel, each }, answer, client }) {
    if (channel !== undefined && !channelNames.some((name) => name === channel))
      throw new UsageError(`there is no channel "${channel}"; there are ${channelNames.join(', ')}`)
    const list = await client().streams()
    const found = list.streams.filter((stream) => channel === undefined || stream.channel === channel)
    answer({ ...list, streams: found }, () => {
      if (found.length === 0) return 'There is no such stream: nothing was ever sent there, and no courier has begun.'
      const nowMs = Date.parse(list.asOf)
      return [each ? tableOfEach(found, nowMs) : tableOfSums(found, nowMs), ...whoHasClaims(found)].join('\n')
    })
    return 0
  },
})

const figureHead = ['entries', 'pending', 'lag', 'oldest', 'consumers']

function tableOfEach(found: readonly Stream[], nowMs: number): string {
  const rows = found.map((stream) => [
    plain(stream.key),
    stream.group ? plain(stream.group.name) : 'none',
    ...figuresOf([stream], nowMs),
  ])
  return table([['key', 'group', ...figureHead], ...rows], { numbersFrom: 2 })
}

function tableOfSums(found: readonly Stream[], nowMs: number): string {
  const byClass = new Map<string, Stream[]>()
  for (const stream of found) {
    const of = `${stream.channel} ${stream.class}`
    byClass.set(of, [...(byClass.get(of) ?? []), stream])
  }
  const rows = [...byClass.values()].map((some) => {
    const [{ channel, class: cls }] = some as [Stream]
    return [plain(channel), cls, some.length, ...figuresOf(some, nowMs)]
  })
  return table([['channel', 'class', 'streams', ...figureHead], ...rows], { numbersFrom: 2 })
}

/** What no group has begun on nobody has claimed. */
function figuresOf(some: readonly Stream[], nowMs: number) {
  const sum = (of: (stream: Stream) => number) => some.reduce((total, each) => total + of(each), 0)
  const [oldest] = some.flatMap(({ oldestAt }) => oldestAt ?? []).sort()
  const consumers = new Set(some.flatMap(({ group }) => group?.consumers.map(({ name }) => name) ?? []))
  return [
    sum(({ entries }) => entries),
    sum(({ group }) => group?.pending ?? 0),
    sum(({ entries, group }) => group?.lag ?? entries),
    oldest === undefined ? '–' : seconds(nowMs - Date.parse(oldest)),
    consumers.size,
  ]
}

/** Whoever holds claims, and has left them alone the longest first. */
function whoHasClaims(found: readonly Stream[]): string[] {
  const claims = new Map<string, { pending: number; idleMs: number }>()
  for (const { name, pending, idleMs = 0 } of found.flatMap(({ group }) => group?.consumers ?? [])) {
    if (pending === 0) continue
    const before = claims.get(name) ?? { pending: 0, idleMs: 0 }
    claims.set(name, { pending: before.pending + pending, idleMs: Math.max(before.idleMs, idleMs) })
  }
  return [...claims]
    .sort(([, a], [, b]) => b.idleMs - a.idleMs)
    .map(([name, { pending, idleMs }]) => plain(`${name} has ${pending} pending, idle for ${seconds(idleMs)}`))
}

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`
