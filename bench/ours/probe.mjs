/**
 * Loaded into every process of ours (`node --import`) before its own code: tells the bench about the event loop, memory and
 * CPU of that process, and where its time went, without a hook in what is measured.
 */
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerCalls } from '../answer-calls.mjs'
import { sumByOrigin } from './profile.mjs'

const rssEveryMs = 50
const profileEveryUs = 1000
const histogram = monitorEventLoopDelay({ resolution: 10 })
let timer
let session
let began

answerCalls({
  async watch({ profile }) {
    clearInterval(timer)
    histogram.reset()
    histogram.enable()
    began = { cpu: process.cpuUsage(), at: performance.now(), rss: process.memoryUsage.rss() }
    timer = setInterval(() => {
      began.rss = Math.max(began.rss, process.memoryUsage.rss())
    }, rssEveryMs).unref()
    if (!profile) return
    session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: profileEveryUs })
    await session.post('Profiler.start')
  },
  async report() {
    clearInterval(timer)
    histogram.disable()
    const profile = session && (await session.post('Profiler.stop')).profile
    session?.disconnect()
    session = undefined
    const { user, system } = process.cpuUsage(began.cpu)
    // the histogram holds the whole wait from one look to the next; what is above the 10 ms it had ordered is delay
    const delay = (ns) => Math.max(0, ns / 1e6 - 10)
    return {
      loopDelayMs: {
        p50: delay(histogram.percentile(50)),
        p99: delay(histogram.percentile(99)),
        max: delay(histogram.max),
      },
      rssBytes: Math.max(began.rss, process.memoryUsage.rss()),
      cpuMs: (user + system) / 1000,
      elapsedMs: performance.now() - began.at,
      ...(profile ? { origins: sumByOrigin(profile) } : {}),
    }
  },
})
// listening holds the channel open; a process of ours must be able to end by itself
process.channel?.unref()
