/** How long readers wait while a message to very many people is being sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryView, ReceiptsPage } from '@courier-fleet/api-types'
import type { Bench, Case } from '../case.ts'
import { textOf } from '../messages.ts'
import { fanOut } from '../ours/fan-out.ts'
import { type Fleet, startFleet } from '../ours/fleet.ts'
import { number } from '../report/number.ts'
import { percentile } from '../statistics.ts'

const people = 1_000_000
const pageSize = 1000
const countsEveryMs = 5
const pagesEveryMs = 20

interface Reads {
  readonly counts: number[]
  readonly pages: number[]
  wrong: number
}

const routes = { counts: '/v1/histories/:key', pages: '/v1/histories/:key/receipts' }

/** Of all answers of a route, the share that had left the queue within so many seconds, %: by the queue's own histogram. */
function shareWithin(metrics: string, route: string, seconds: string): number {
  const values = metrics
    .split('\n')
    .filter((line) => line.includes('method="GET"') && line.includes(`route="${route}"`))
  const find = (start: string, end = '') =>
    Number(
      values
        .find((line) => line.startsWith(start) && line.includes(end))
        ?.split(' ')
        .at(-1) ?? Number.NaN,
    )
  const duration = 'fleet_http_request_duration_seconds'
  return (100 * find(`${duration}_bucket`, `le="${seconds}"`)) / find(`${duration}_count`)
}

/** Where slow reads were slow: what is not in the queue is on the way to it or in the reader. */
async function withinQueue(fleet: Fleet): Promise<string> {
  const metrics = await (await fetch(`${fleet.api.url}/metrics`)).text()
  const percent = (route: string, seconds: string) => shareWithin(metrics, route, seconds).toFixed(1)
  return `Answered within 10 ms of reaching the queue: ${percent(routes.counts, '0.01')} % of the counts (within 20 ms ${percent(routes.counts, '0.02')} %), \
${percent(routes.pages, '0.01')} % of the pages (within 20 ms ${percent(routes.pages, '0.02')} %, within 50 ms ${percent(routes.pages, '0.05')} %).`
}

/** Two readers at once: one asks for the counts, one turns the pages. */
async function readWhile(fleet: Fleet, key: string, count: number, isOver: () => boolean): Promise<Reads> {
  const reads: Reads = { counts: [], pages: [], wrong: 0 }
  async function askCounts(): Promise<void> {
    while (!isOver()) {
      const { answer, ms } = await fleet.api.read<HistoryView>(`/v1/histories/${key}`)
      reads.counts.push(ms)
      const {
        state: _state,
        accepted,
        ...states
      } = answer.channels.vk ?? { state: '', accepted: count, pending: count }
      if (accepted !== count || Object.values(states).reduce((sum, each) => sum + each, 0) !== count) reads.wrong++
      await sleep(countsEveryMs)
    }
  }
  async function turnPages(): Promise<void> {
    for (let from = 0; !isOver(); from = (from + 37 * pageSize) % Math.max(pageSize, count - pageSize)) {
      const { answer, ms } = await fleet.api.read<ReceiptsPage>(
        `/v1/histories/${key}/receipts?from=${from}&limit=${pageSize}`,
      )
      reads.pages.push(ms)
      if (answer.receipts.length !== Math.min(pageSize, count - from)) reads.wrong++
      await sleep(pagesEveryMs)
    }
  }
  await Promise.all([askCounts(), turnPages()])
  return reads
}

async function take({ server, record, size }: Bench): Promise<void> {
  const count = size(people)
  const fleet = await startFleet({ server, couriers: { vk: 1 } })
  try {
    let reads: Reads | undefined
    const { trouble } = await fanOut(fleet, {
      channel: 'vk',
      people: count,
      text: textOf(4),
      everyMs: 250,
      async meanwhile(key, isOver) {
        reads = await readWhile(fleet, key, count, isOver)
      },
    })
    const { counts = [], pages = [], wrong = 0 } = reads ?? {}
    for (const [name, times] of [
      ['counts', counts],
      ['page of 1000 receipts', pages],
    ] as const) {
      record.ours(`${name}, p50`, percentile(times, 0.5))
      record.ours(`${name}, p99`, percentile(times, 0.99))
      record.ours(`${name}, slowest`, percentile(times, 1))
    }
    record.remark('Of that, in the queue', await withinQueue(fleet))
    if (trouble || wrong > 0) record.spoil('ours', trouble ?? `${wrong} answers were wrong`)
  } finally {
    await fleet.stop()
  }
}

export const read: Case = {
  name: 'read',
  title: 'Reading while it is being sent',
  about: `A message to ${number(people)} people is sent on VK without limits; meanwhile one reader asks for its counts every ${countsEveryMs} ms after the last answer, and another for a page of
${number(pageSize)} receipts with names every ${pagesEveryMs} ms. In each answer the counts must sum up and the page be whole. Time until the last byte is here, over HTTP.`,
  maxRuns: 2,
  population: [people],
  metrics: {
    'counts, p50': { unit: 'ms' },
    'counts, p99': { unit: 'ms', target: { most: 10 } },
    'counts, slowest': { unit: 'ms' },
    'page of 1000 receipts, p50': { unit: 'ms' },
    'page of 1000 receipts, p99': { unit: 'ms', target: { most: 15 } },
    'page of 1000 receipts, slowest': { unit: 'ms' },
  },
  plots: [],
  async measure(bench) {
    await bench.populate()
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}`)
      await take(bench)
    }
  },
}
