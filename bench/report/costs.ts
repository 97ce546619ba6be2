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
const smallestShown = 0.03
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
  for (const [name, { cpuMs, origins = [] }] of processes) {
    const all = (cpuMs * 1000) / units
    rows.push([`**${name}**${name === notOurs ? ' (stand-in)' : ''}`, all])
    const sampled = origins.reduce((sum, { ms }) => sum + ms, 0)
    for (const { origin, ms } of origins)
      if (ms / sampled >= smallestShown) rows.push([`– ${origin}`, (ms / sampled) * all])
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
