/** Where the microseconds of one message and of one person in a large message go. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelName } from '@courier-fleet/channels'
import type { Bench, Case } from '../case.ts'
import type { Metric } from '../figures.ts'
import { messagesFor, textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { outstandingCount } from '../ours/outstanding.ts'
import { costsTable, sumsOf } from '../report/costs.ts'
import { number } from '../report/number.ts'
import { type Command, capture, replay } from '../server/replay.ts'

const messages = 20_000
const people = { vk: 100_000, telegram: 4000, sms: 4000 }
/** of everything, to be written down and replayed */
const sampleShare = 0.1
const lookEveryMs = 50
const dueInMs = 15_000
const nextMonth = () => Date.now() + 30 * 86_400_000
const channelNames: Partial<Record<ChannelName, string>> = { vk: 'VK', telegram: 'Telegram', sms: 'SMPP' }

/** Something that is done so many times; `prepare` is what it needs and does not count. */
interface Activity {
  readonly name: string
  readonly unit: 'message' | 'person'
  readonly couriers: Partial<Record<ChannelName, number>>
  readonly units: number
  prepare?(fleet: Fleet, units: number): Promise<() => Promise<void>>
  perform(fleet: Fleet, units: number): Promise<void>
}

function activities({ server, size }: Bench): Activity[] {
  const untilDone = async (due: number) => {
    await sleep(due - Date.now())
    while ((await outstandingCount(server.redis)) > 0) await sleep(lookEveryMs)
  }
  const count = size(messages)
  return [
    {
      name: 'accepting',
      unit: 'message',
      couriers: {},
      units: count,
      async perform(fleet, units) {
        await fleet.api.sendMany(messagesFor({ count: units, people: count, dueAt: nextMonth }))
      },
    },
    {
      name: 'delivering',
      unit: 'message',
      couriers: { vk: 1 },
      units: count,
      async prepare(fleet, units) {
        const due = Date.now() + dueInMs
        await fleet.api.sendMany(messagesFor({ count: units, people: count, dueAt: () => due, channels: ['vk'] }))
        await sleep(due - 200 - Date.now())
        return () => untilDone(due)
      },
      perform: async () => {},
    },
    ...(Object.entries(people) as [ChannelName, number][]).map(
      ([channel, full]): Activity => ({
        name: `to very many by ${channelNames[channel]}`,
        unit: 'person',
        couriers: { [channel]: 1 },
        units: size(full),
        async perform(fleet, units) {
          const { trouble } = await fanOut(fleet, { channel, people: units, text: textOf(units), everyMs: 500 })
          if (trouble) throw new Error(trouble)
        },
      }),
    ),
  ]
}

async function take(bench: Bench, activity: Activity): Promise<void> {
  const { server, record } = bench
  const { name, unit, units, couriers, prepare, perform } = activity
  const sample = Math.ceil(units * sampleShare)
  const fleet = await startFleet({ server, couriers })
  let commands: Command[]
  let measured: Parameters<typeof costsTable>[0]
  try {
    const wait = await prepare?.(fleet, units)
    const before = await server.figures()
    await fleet.probes.watch({ profile: true })
    await (wait?.() ?? perform(fleet, units))
    const processes = await fleet.probes.report()
    const after = await server.figures()

    const waitForSample = await prepare?.(fleet, sample)
    const written = await capture(server.redis)
    await (waitForSample?.() ?? perform(fleet, sample))
    commands = await written.stop()
    const noFloor = { cpuMs: 0, executingMs: 0, commands: 0 }
    measured = { units, processes, before, after, floor: noFloor, floorUnits: sample }
  } finally {
    await fleet.stop()
  }
  const costs = { ...measured, floor: await replay(server, commands) }
  const sums = sumsOf(costs)
  record.ours(`${name}: all of ours with Redis`, sums.ours)
  record.ours(`${name}: Redis`, sums.redis)
  record.ours(`${name}: Redis alone`, sums.floor)
  record.remark(`${name[0]?.toUpperCase()}${name.slice(1)}, one ${unit}`, costsTable(costs, unit))
}

const names = ['accepting', 'delivering', ...Object.values(channelNames).map((channel) => `to very many by ${channel}`)]
const unitOf = (name: string) => `µs of CPU a ${name.startsWith('to') ? 'person' : 'message'}`

export const costs: Case = {
  name: 'costs',
  title: 'Where the microseconds go',
  about: `CPU of each process, user and system, divided by messages or people: ${number(messages)} one-person messages taken by bulk HTTP; as many delivered on VK; one message to
${number(people.vk)} people on VK, ${number(people.telegram)} on Telegram and ${number(people.sms)} by SMPP, limits off. Below each process stands where its CPU profile saw it (*own code* by package, libraries by
name, *node* and *system calls* for the runtime; profiling itself costs some). *Redis alone* is the physical floor: the commands of a smaller run, those
within scripts included, written down with MONITOR and given to Redis once more, bare and 500 at a time, with nobody else there.`,
  maxRuns: 1,
  metrics: Object.fromEntries(
    names.flatMap((name): [string, Metric][] =>
      ['all of ours with Redis', 'Redis', 'Redis alone'].map((what) => [`${name}: ${what}`, { unit: unitOf(name) }]),
    ),
  ),
  plots: [],
  async measure(bench) {
    const { size } = bench
    const groups = Object.values(people).flatMap((full) => [size(full), Math.ceil(size(full) * sampleShare)])
    for (const activity of activities(bench)) {
      bench.say(activity.name)
      // the replay leaves behind what nobody will ever finish
      await bench.clear([...groups, size(messages)])
      await take(bench, activity)
    }
  },
}
