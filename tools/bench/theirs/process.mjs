/**
 * BullMQ in a process of its own: queue and worker, the worker doing nothing. Jobs are named by their number, finished jobs
 * leave Redis at once, and nothing is repeated.
 */
import { Queue, Worker } from 'bullmq'
import { answerCalls } from '../answer-calls.mjs'

const jobOptions = { removeOnComplete: true, removeOnFail: true }
/** jobs of one addBulk(); larger ones were not faster */
const maxJobsPerCall = 1000
let connection
let queue
let worker
/** by job: [late by, ms; how often] */
let done = new Map()

answerCalls({
  open({ port, db, name }) {
    connection = { host: '127.0.0.1', port, db, maxRetriesPerRequest: null }
    queue = new Queue(name, { connection })
    return queue.waitUntilReady().then(() => undefined)
  },

  /** addBulk() of `count` jobs with the same data, all due at `at` (Unix ms). @returns ms */
  async addMany({ first, count, data, at }) {
    const startedAt = performance.now()
    for (let from = 0; from < count; from += maxJobsPerCall) {
      const size = Math.min(maxJobsPerCall, count - from)
      await queue.addBulk(
        Array.from({ length: size }, (_, i) => job(first + from + i, data, at)).map(([name, d, opts]) => ({
          name,
          data: d,
          opts,
        })),
      )
    }
    return performance.now() - startedAt
  },

  /** addBulk() of one job for each due time (Unix ms) */
  async addAt({ data, dues }) {
    await queue.addBulk(
      dues.map((at, number) => {
        const [name, d, opts] = job(number, data, at)
        return { name, data: d, opts }
      }),
    )
  },

  /** add() one by one, `concurrency` at a time. @returns ms in all, and of each */
  async addSingly({ first, count, data, at, concurrency }) {
    const latencies = []
    let next = 0
    const startedAt = performance.now()
    async function caller() {
      while (next < count) {
        const startedAt = performance.now()
        await queue.add(...job(first + next++, data, at))
        latencies.push(performance.now() - startedAt)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, caller))
    return { ms: performance.now() - startedAt, latencies }
  },

  async work({ concurrency }) {
    done = new Map()
    worker = new Worker(
      queue.name,
      async ({ name, timestamp, opts }) => {
        const known = done.get(name)
        if (known) known[1]++
        else done.set(name, [Date.now() - (timestamp + opts.delay), 1])
      },
      { connection, concurrency },
    )
    worker.on('error', () => {})
    await worker.waitUntilReady()
  },
  doneCount: () => done.size,
  /** [job number, late by (ms), how often] of each */
  done: () => [...done].map(([name, [late, times]]) => [Number(name), late, times]),
  async rest() {
    await worker?.close()
    worker = undefined
  },
  counts: () => queue.getJobCounts('delayed', 'waiting', 'active'),

  async close() {
    await worker?.close()
    await queue?.close()
  },
})

function job(number, data, at) {
  const timestamp = Date.now()
  return [String(number), data, { ...jobOptions, timestamp, delay: Math.max(0, at - timestamp) }]
}
