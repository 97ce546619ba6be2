/** The fleet as it works: what is wrong, what waits on each channel, how fast it goes. */
import type { ServiceView, StatsView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { budgetSpentWords } from '@courier-fleet/words'
import { channelsText, stuckOf } from '../channel-table.ts'
import { defineCommand } from '../define-command.ts'
import { withinOf } from '../lateness.ts'
import { keepTelling, liveOptions } from '../live.ts'
import type { Look } from '../style.ts'
import { plain } from '../table.ts'

const hourMs = 3_600_000

export const top = defineCommand({
  name: 'top',
  summary: 'The fleet as it works: what is wrong, what waits, how fast it goes, kept up to date; for operators',
  options: liveOptions,
  exits: { 0: 'told' },
  async execute({ values, json, answer, client: connect, terminal, look }) {
    const client = connect()
    if (json) {
      const [service, channels] = await Promise.all([client.service(), client.channels()])
      answer({ service, channels }, () => '')
      return 0
    }
    // in a pipe one picture is enough, unless more are asked for
    const times = terminal.screen ? {} : { times: '1' }
    await keepTelling(terminal, { ...times, ...values }, pictures(client, look))
    return 0
  },
})

/** Each picture has the rates since the one before. */
function pictures(client: Client, look: Look): () => Promise<string> {
  let before: Counted | undefined
  return async () => {
    const from = new Date(Date.now() - hourMs).toISOString()
    const [service, channels, stats] = await Promise.all([
      client.service(),
      client.channels(),
      client.stats({ from, by: ['channel'] }),
    ])
    const now = { atMs: performance.now(), people: peopleOf(stats) }
    const rates = before && ratesBetween(before, now)
    before = now
    const isFine =
      service.isWatched &&
      service.redis.isConfirmed &&
      service.alarms.length === 0 &&
      stuckOf(channels).length === 0 &&
      !service.processes.some(({ silent }) => silent)
    return [
      headOf(service, isFine, look),
      ...begunLine(stats),
      '',
      channelsText(channels, look, rates ?? new Map()),
    ].join('\n')
  }
}

interface Counted {
  readonly atMs: number
  /** on each channel, whose messages the provider has taken */
  readonly people: ReadonlyMap<string, number>
}

function peopleOf({ receipts }: StatsView): Counted['people'] {
  return new Map(receipts.map(({ channel = '', passed }) => [channel, passed?.sent ?? 0]))
}

function ratesBetween(before: Counted, now: Counted): ReadonlyMap<string, number> {
  const seconds = (now.atMs - before.atMs) / 1000
  // an hour that goes out of sight takes its people with it
  const rate = (channel: string, people: number) => Math.max(0, people - (before.people.get(channel) ?? 0)) / seconds
  return new Map([...now.people].map(([channel, people]) => [channel, rate(channel, people)]))
}

/** How long after their time messages of the last hour were handed to their channels, all of them and each channel's. */
function begunLine({ lateness, channelLateness = [] }: StatsView): string[] {
  const all = lateness.map(({ class: cls, buckets }) => `${cls} ${withinOf(buckets)}`)
  const each = channelLateness.map((row) => `${row.channel} ${row.class} ${withinOf(row.buckets)}`)
  return [
    ...(all.length === 0 ? [] : [`Of the messages of the last hour 99 in 100 began within: ${all.join(', ')}.`]),
    ...(each.length === 0 ? [] : [`By channel: ${each.join(', ')}.`]),
  ]
}

export function headOf(
  { asOf, alarms, isWatched, redis, held, processes, budget }: ServiceView,
  isFine: boolean,
  look: Look,
): string {
  const { colours, moment } = look
  const waiting = Object.values(held.people).reduce((sum, people) => sum + people, 0)
  const idle = processes.filter(({ ready, silent }) => !ready && !silent)
  const lines = [
    `${moment(asOf)} · ${processes.length} processes${idle.length > 0 ? `, ${idle.length} not ready` : ''}`,
  ]
  if (isFine) lines.push(colours.green('Nothing is wrong.'))
  if (!redis.isConfirmed)
    lines.push(
      colours.red(
        'Replicas of Redis do not confirm what is written: changes are refused, and nobody is sent anything. See that they run.',
      ),
    )
  for (const { name, seenAt } of processes.filter(({ silent }) => silent))
    lines.push(
      colours.yellow(
        plain(`${name}: no sign of life${seenAt ? ` since ${moment(seenAt)}` : ''}; it has ended, or hangs`),
      ),
    )
  if (!isWatched) lines.push(colours.yellow('No timekeeper watches: alarms are not known.'))
  for (const { alarm, since, detail } of alarms)
    lines.push(colours.red(plain(`${alarm} since ${moment(since)}: ${detail}`)))
  if (waiting > 0) {
    const first = held.firstAt ? `; the first go on at ${moment(held.firstAt)}` : ''
    lines.push(`${held.atLeast ? 'at least ' : ''}${waiting} people wait for a later time${first}`)
  }
  if (budget) lines.push(`${budgetSpentWords('en', budget)}.`)
  return lines.join('\n')
}
