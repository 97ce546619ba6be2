/** What Redis says of itself, read into numbers. */

export interface CommandFigures {
  readonly calls: number
  /** time of execution, µs; that of a script holds that of the commands within */
  readonly usec: number
}

export interface ServerFigures {
  readonly usedMemory: number
  readonly rssBytes: number
  /** CPU of the server's process, all threads, ms */
  readonly cpuMs: number
  readonly commands: ReadonlyMap<string, CommandFigures>
}

export function parseInfo(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

/** @param text of `INFO everything` */
export function readFigures(text: string): ServerFigures {
  const info = parseInfo(text)
  const number = (name: string) => Number(info.get(name) ?? Number.NaN)
  const commands = new Map<string, CommandFigures>()
  for (const [name, value] of info) {
    const [, calls, usec] = /^calls=(\d+),usec=(\d+),/.exec(value) ?? []
    if (name.startsWith('cmdstat_') && calls && usec)
      commands.set(name.slice('cmdstat_'.length), { calls: Number(calls), usec: Number(usec) })
  }
  return {
    usedMemory: number('used_memory'),
    rssBytes: number('used_memory_rss'),
    cpuMs: (number('used_cpu_user') + number('used_cpu_sys')) * 1000,
    commands,
  }
}

/** What was done between two snapshots. */
export function commandsBetween(before: ServerFigures, after: ServerFigures): Map<string, CommandFigures> {
  const done = new Map<string, CommandFigures>()
  for (const [name, { calls, usec }] of after.commands) {
    const earlier = before.commands.get(name) ?? { calls: 0, usec: 0 }
    if (calls > earlier.calls) done.set(name, { calls: calls - earlier.calls, usec: usec - earlier.usec })
  }
  return done
}
