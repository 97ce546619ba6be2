/** Where the microseconds go: CPU of every process for one message, or one person, as a table. */
import type { Report } from '../ours/processes.ts'
import { commandsBetween, type ServerFigures } from '../server/info.ts'
import type { Floor } from '../server/replay.ts'

export interface Costs {
  /** messages or people */
  readonly units: number
  readonly processes: ReadonlyMap<string, Report>
  readonly before: ServerFigures
  readonly after: ServerFigures
  readonly floor: Floor
  /** that the floor was taken for */
  readonly floorUnits: number
}

/** the stand-in is not ours to make faster */
const notOurs = 'sandbox'
/** shares of all the CPU that was taken: smaller places are not shown, nor the functions of smaller processes */
const smallestPlace = 0.01
const smallestProcess = 0.2
const isScript = (name: string) => /^(evalsha|eval)$/.test(name)

export interface Sums {
  /** µs of CPU a unit */
  readonly ours: number
  readonly redis: number
  readonly floor: number
}

export function sumsOf({ units, processes, before, after, floor, floorUnits }: Costs): Sums {
  const redis = ((after.cpuMs - before.cpuMs) * 1000) / units
  const own = [...processes].filter(([name]) => name !== notOurs).map(([, { cpuMs }]) => (cpuMs * 1000) / units)
  return { ours: own.reduce((sum, each) => sum + each, redis), redis, floor: (floor.cpuMs * 1000) / floorUnits }
}

export function costsTable(costs: Costs, unit: string): string {
  const { units, processes, before, after, floor, floorUnits } = costs
  const { redis, floor: floorUs } = sumsOf(costs)
  const rows: [string, number][] = []
  const functions: string[] = []
  const total = [...processes.values()].reduce((sum, { cpuMs }) => sum + (cpuMs * 1000) / units, redis)
  for (const [name, report] of processes) {
    const all = (report.cpuMs * 1000) / units
    rows.push([`**${name}**${name === notOurs ? ' (stand-in)' : ''}`, all])
    const sampledMs = (report.origins ?? []).reduce((sum, { ms }) => sum + ms, 0)
    for (const { origin, ms } of report.origins ?? []) {
      const us = (ms / sampledMs) * all
      if (us >= smallestPlace * total) rows.push([`– ${origin}`, us])
    }
    if (all < smallestProcess * total || name === notOurs) continue
    const busy = (report.functions ?? []).map((each) => `${each.name} ${((100 * each.ms) / sampledMs).toFixed(1)} %`)
    functions.push(`Where ${name} was most: ${busy.join(', ')}.`, '')
  }
  const done = commandsBetween(before, after)
  const executing = (wanted: (name: string) => boolean) =>
    [...done].filter(([name]) => wanted(name)).reduce((sum, [, { usec }]) => sum + usec, 0) / units
  const scripts = executing(isScript)
  rows.push(['**Redis**', redis], ['– scripts, with the commands within', scripts])
  rows.push(['– every single command, within scripts or not', executing((name) => !isScript(name))])
  rows.push(['**Redis alone**, the same commands bare', floorUs])
  rows.push(['– of that executing them', (floor.executingMs * 1000) / floorUnits])
  const perUnit = (floor.commands / floorUnits).toFixed(2)
  return [
    `| where | µs of CPU a ${unit} |`,
    '| --- | ---: |',
    ...rows.map(([where, us]) => `| ${where} | ${us.toFixed(2)} |`),
    '',
    ...functions,
    `${perUnit} commands a ${unit}: ${busiest(done, units)}.`,
  ].join('\n')
}

const shownCommands = 12

function busiest(done: ReadonlyMap<string, { calls: number; usec: number }>, units: number): string {
  return [...done]
    .filter(([, { calls }]) => calls / units >= 0.001)
    .sort((a, b) => b[1].usec - a[1].usec)
    .slice(0, shownCommands)
    .map(([name, { calls, usec }]) => `${name} ${(calls / units).toPrecision(2)} × ${(usec / calls).toPrecision(2)} µs`)
    .join(', ')
}
