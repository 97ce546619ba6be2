/** What more processes of a channel bring. */
import type { Bench, Case } from '../case.ts'
import { fanOut } from '../ours/fan-out.ts'
import { startFleet } from '../ours/fleet.ts'
import { smppProtocol } from '../ours/line.ts'
import { number } from '../report/number.ts'
import { median } from '../statistics.ts'

const processes = [1, 2, 4]
const peopleEach = 1000
/** small, so that waiting for the provider is the limit and not the CPU of a small machine */
const window = 10
const answerMs = 50
const text = 'Пара перенесена в 305'

const throughputName = (count: number) => `${count} ${count === 1 ? 'process' : 'processes'}`
const growthName = (count: number) => `${count} processes, of ${count} times one`

/** @returns people a second */
async function take({ server, record, size }: Bench, count: number): Promise<number> {
  const people = size(peopleEach * count)
  const lines = { sms: { answerMs, protocol: smppProtocol } }
  const env = { SMS_WINDOW: String(window) }
  const fleet = await startFleet({ server, couriers: { sms: count }, env, lines })
  try {
    const { seconds, trouble } = await fanOut(fleet, { channel: 'sms', people, text })
    if (trouble) record.spoil('ours', trouble)
    record.ours(throughputName(count), people / seconds)
    return people / seconds
  } finally {
    await fleet.stop()
  }
}

export const fleet: Case = {
  name: 'fleet',
  title: 'More processes',
  about: `One message to ${number(peopleEach)} people a process, by SMPP, through a line that holds every answer of the SMS centre until ${answerMs} ms after the submit, with a window of ${window} in
each process: so one process can have ${window / (answerMs / 1000)} a second taken, and it is the provider that is waited for, not the CPU. The rate limit is off. Growth is the throughput over that of one
process in the same run, as a share of the number of processes.`,
  maxRuns: 3,
  population: processes.map((count) => count * peopleEach),
  metrics: {
    ...Object.fromEntries(processes.map((count) => [throughputName(count), { unit: 'people/s' }])),
    ...Object.fromEntries(processes.slice(1).map((count) => [growthName(count), { unit: '', target: { least: 0.9 } }])),
  },
  plots: [{ file: 'fleet', kind: 'curves', title: 'People served a second', x: 'processes', y: 'people/s' }],
  async measure(bench) {
    await bench.populate()
    const found = new Map<number, number[]>(processes.map((count) => [count, []]))
    for (let run = 1; run <= bench.runs; run++) {
      for (const count of processes) {
        bench.say(`run ${run} of ${bench.runs}: ${throughputName(count)}`)
        const throughput = await take(bench, count)
        found.get(count)?.push(throughput)
        const one = found.get(1)?.at(-1) ?? Number.NaN
        if (count > 1) bench.record.ours(growthName(count), throughput / (count * one))
      }
    }
    const points = processes.map((count): [number, number] => [count, median(found.get(count) ?? [])])
    const [[, one] = [1, 0]] = points
    bench.record.series({ plot: 'fleet', name: 'ours', points: [[0, 0], ...points] })
    const linear = [0, ...processes].map((count): [number, number] => [count, count * one])
    bench.record.series({ plot: 'fleet', name: 'as many times one', points: linear })
  },
}
