/**
 * Loaded into every process of ours (`node --import`) before its own code: tells the bench about the event loop, memory and
 * CPU of that process, and where its time went, without a hook in what is measured.
 */
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerCalls } from '../answer-calls.mjs'
import { busiestFunctions, sumByOrigin } from './profile.mjs'

const rssEveryMs = 100
const profileEveryUs = 1000
const resolutionMs = 10
const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
let timer
let session
let began

const noteRss = () => {
  began.rss = Math.max(began.rss, process.memoryUsage.rss())
}
/** The histogram holds the whole time from one look to the next; what is above the time that was ordered is delay. */
const delayMs = (ns) => Math.max(0, ns / 1e6 - resolutionMs)

answerCalls({
  async watch({ profile }) {
    if (profile) {
      session = new Session()
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: profileEveryUs })
      await session.post('Profiler.start')
    }
    clearInterval(timer)
    histogram.reset()
    histogram.enable()
    began = { cpu: process.cpuUsage(), at: performance.now(), rss: process.memoryUsage.rss() }
    timer = setInterval(noteRss, rssEveryMs).unref()
  },
  async report() {
    noteRss()
    clearInterval(timer)
    histogram.disable()
    const { user, system } = process.cpuUsage(began.cpu)
    const elapsedMs = performance.now() - began.at
    const profile = session && (await session.post('Profiler.stop')).profile
    session?.disconnect()
    session = undefined
    return {
      loopDelayMs: {
        p50: delayMs(histogram.percentile(50)),
        p99: delayMs(histogram.percentile(99)),
        max: delayMs(histogram.max),
      },
      rssBytes: began.rss,
      cpuMs: (user + system) / 1000,
      elapsedMs,
      ...(profile ? { origins: sumByOrigin(profile), functions: busiestFunctions(profile) } : {}),
    }
  },
})
// listening holds the channel open; a process of ours must be able to end by itself
process.channel?.unref()
