/** What a fleet takes that has nothing to do. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Case } from '../case.ts'
import { startFleet } from '../ours/fleet.ts'
import { number } from '../report/number.ts'
import { commandsBetween, type ServerFigures } from '../server/info.ts'
import { countSent } from '../server/sent.ts'

const couriers = { telegram: 1, vk: 1, sms: 1, mail: 1, http: 1 }
/** what is done once, after a start, is done by then */
const settleMs = 20_000
const watchedMs = 60_000
/** somebody who writes every command down costs Redis time: not in the same minute */
const countedMs = 20_000
/** the stand-in is not ours to make leaner */
const notOurs = 'sandbox'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU of a process so far, user and system, ms. */
function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // behind the name, which may have blanks and brackets
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

async function measureIdle({ server, record, clear, say }: Bench): Promise<void> {
  await clear()
  const fleet = await startFleet({ server, couriers, notifiers: 1 })
  try {
    await sleep(settleMs)
    const ours = [...fleet.pids()].filter(([name]) => name !== notOurs)
    const cpuMs = (redis: ServerFigures) =>
      new Map([...ours.map(([name, pid]) => [name, cpuMsOf(pid)] as const), ['Redis', redis.cpuMs] as const])
    const [startedAt, figures] = [performance.now(), await server.figures()]
    const before = cpuMs(figures)
    await sleep(watchedMs)
    const [elapsedMs, after] = [performance.now() - startedAt, await server.figures()]
    const taken = [...cpuMs(after)].map(([name, ms]) => ({
      name,
      share: (100 * (ms - (before.get(name) as number))) / elapsedMs,
    }))
    const done = commandsBetween(figures, after)
    const perSecond = (count: number) => count / (elapsedMs / 1000)
    record.ours(
      'CPU',
      taken.reduce((sum, { share }) => sum + share, 0),
    )
    record.ours(
      'commands, those within scripts included',
      perSecond([...done.values()].reduce((sum, { calls }) => sum + calls, 0)),
    )
    say('counting what is sent')
    const sent = await countSent(server.redis, countedMs)
    record.ours('commands sent', sent.reduce((sum, { count }) => sum + count, 0) / (countedMs / 1000))
    record.remark('Who takes it', taken.map(({ name, share }) => `${name} ${share.toFixed(2)} %`).join(', '))
    record.remark(
      'Who sends what',
      sent
        .slice(0, 20)
        .map(({ client, command, count }) => `${client}: ${command} ${(count / (countedMs / 1000)).toFixed(1)}/s`)
        .join(', '),
    )
  } finally {
    await fleet.stop()
  }
}

export const idle: Case = {
  name: 'idle',
  title: 'Nothing to do',
  about: `A fleet of one courier of each of ${Object.keys(couriers).length} channels, queue, timekeeper and notifier, started a while ago, with nobody in it and nothing to send. CPU is that of all its processes and
of Redis, user and system, over ${number(watchedMs / 1000)} s, of one core; the stand-ins for the providers are not counted. Commands are those of \`INFO commandstats\`; those that were sent, and by whom, are
written down with \`MONITOR\` after that.`,
  maxRuns: 1,
  metrics: {
    CPU: { unit: '% of a core', target: { most: 1 } },
    'commands sent': { unit: 'commands/s', target: { most: 50 } },
    'commands, those within scripts included': { unit: 'commands/s' },
  },
  plots: [],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}`)
      await measureIdle(bench)
    }
  },
}
