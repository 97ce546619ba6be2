/** The fleet as it works: what is wrong, in the sentences of the service page, what waits on each channel, how fast it goes. */
import type { HistoriesPage, ServiceView, StatsView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import {
  budgetSpentWords,
  isNobodyLost,
  messagesInTrouble,
  type Trouble,
  troubledAmong,
  troublesOf,
  troubleWords,
} from '@courier-fleet/words'
import { channelsText } from '../channel-table.ts'
import { defineCommand } from '../define-command.ts'
import { endpointLines } from '../endpoint-lines.ts'
import { happenedLines } from '../happened-lines.ts'
import { withinOf } from '../lateness.ts'
import { keepTelling, liveOptions } from '../live.ts'
import type { Look } from '../style.ts'
import { excerpt, plain } from '../table.ts'

const hourMs = 3_600_000
/** hundreds of messages are looked at, so not for every picture */
const messagesMs = 10_000

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
  let messages: { readonly readMs: number; readonly pages: readonly HistoriesPage[] } | undefined
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
    if (!messages || now.atMs - messages.readMs >= messagesMs)
      messages = { readMs: now.atMs, pages: await Promise.all(troubledAmong.map(client.histories)) }
    return [
      headOf(service, troublesOf({ channels, service }), look),
      ...begunLine(stats),
      '',
      channelsText(channels, look, rates ?? new Map()),
      ...endpointLines(service, look),
      ...messageLines(messages.pages, service),
      ...happenedLines(service, look),
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

/** Each with whose it is and why it is to be looked at; `fleet status <key>` tells the rest. */
function messageLines(pages: readonly HistoriesPage[], { asOf }: ServiceView): string[] {
  const found = messagesInTrouble('en', pages, Date.parse(asOf))
  if (found.length === 0) return []
  const lines = found.map(({ history: { key, sender, senderName, text }, why }) =>
    plain(`${key} of ${senderName ?? sender}: ${why}; ${excerpt(text ?? 'its text is not kept', 40)}`),
  )
  return ['', 'Messages in trouble:', ...lines]
}

/** Where there are several each that few are of is told with their names: in an upgrade those are left, or first. */
function versionsOf(processes: ServiceView['processes']): string {
  const named = new Map<string, string[]>()
  for (const { name, version } of processes) {
    const its = version === undefined ? 'of a version that does not say so' : `of version ${version}`
    named.set(its, [...(named.get(its) ?? []), name])
  }
  const [most, ...others] = [...named].sort(([, a], [, b]) => b.length - a.length)
  if (!most) return ''
  const rest = others.map(([its, names]) => `; ${its}: ${names.join(', ')}`).join('')
  return plain(others.length > 0 ? `, ${most[1].length} ${most[0]}${rest}` : ` ${most[0]}`)
}

/** @param troubles what is wrong; what `alarms` say besides since when and how much */
export function headOf(service: ServiceView, troubles: readonly Trouble[], { colours, moment }: Look): string {
  const { asOf, alarms, held, processes, budget } = service
  const waiting = Object.values(held.people).reduce((sum, people) => sum + people, 0)
  const idle = processes.filter(({ ready, silent }) => !ready && !silent)
  const silent = processes.filter((each) => each.silent)
  const lines = [
    `${moment(asOf)} · ${processes.length} processes${versionsOf(processes)}${idle.length > 0 ? `, ${idle.length} not ready` : ''}`,
  ]
  if (troubles.length + alarms.length + silent.length === 0) lines.push(colours.green('Nothing is wrong.'))
  for (const trouble of troubles) lines.push(colours.red(plain(troubleWords('en', trouble, moment))))
  if (troubles.length > 0 && isNobodyLost(service)) lines.push('Nobody is lost: everyone who waits is accounted for.')
  for (const { name, seenAt } of silent)
    lines.push(
      colours.yellow(
        plain(`${name}: no sign of life${seenAt ? ` since ${moment(seenAt)}` : ''}; it has ended, or hangs`),
      ),
    )
  for (const { alarm, since, detail } of alarms)
    lines.push(colours.red(plain(`${alarm} since ${moment(since)}: ${detail}`)))
  if (waiting > 0) {
    const first = held.firstAt ? `; the first go on at ${moment(held.firstAt)}` : ''
    lines.push(`${held.atLeast ? 'at least ' : ''}${waiting} people wait for a later time${first}`)
  }
  if (budget) lines.push(`${budgetSpentWords('en', budget)}.`)
  return lines.join('\n')
}
