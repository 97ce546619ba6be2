/** The courier processes of `npm start`: so many of each channel as the settings say, and one more or fewer when they change. */
import { availableParallelism } from 'node:os'
import { nextCount } from './courier-count.mjs'

const lookMs = 2_000

/**
 * @param {{
 *   channels: readonly string[],
 *   otherwise: number | 'auto',
 *   settings: Pick<import('@courier-fleet/store').LiveSettings, 'current' | 'changed'>,
 *   start: (channel: string, name: string) => void,
 *   stop: (name: string) => Promise<unknown>,
 *   readLoad: () => Promise<Map<string, { busy: number, waits: boolean }>>,
 *   say: (text: string) => void,
 *   cores?: number,
 * }} deps otherwise: what holds where nothing is set of a channel; readLoad: of each channel, see nextCount()
 */
export function createCourierProcesses(deps) {
  const { channels, otherwise, settings, start, stop, readLoad, say, cores = availableParallelism() } = deps
  /** of each channel, the numbers in the names of its processes: those that run, and those that are ending */
  const running = new Map(channels.map((channel) => [channel, []]))
  const ending = new Map(channels.map((channel) => [channel, new Set()]))
  const calmSince = new Map(channels.map((channel) => [channel, performance.now()]))
  let looking = false
  let ended = false

  const wantedOf = (channel) => settings.current().channels[channel]?.processes ?? otherwise
  const room = () => cores - [...running.values()].reduce((sum, { length }) => sum + length, 0)
  const nameOf = (channel, number) => `courier-${channel}-${number}`

  /** A name is free again once its process has ended: until then it may hold a session. */
  function startOne(channel) {
    const own = running.get(channel)
    let number = 1
    while (own.includes(number) || ending.get(channel).has(number)) number++
    own.push(number)
    start(channel, nameOf(channel, number))
  }

  function stopOne(channel) {
    const number = running.get(channel).pop()
    ending.get(channel).add(number)
    stop(nameOf(channel, number)).finally(() => ending.get(channel).delete(number))
  }

  function bringTo(channel, count) {
    const before = running.get(channel).length
    for (let left = count - before; left > 0; left--) startOne(channel)
    for (let left = before - count; left > 0; left--) stopOne(channel)
    if (before > 0 && before !== count) say(`${channel}: couriers ${count}, before ${before}`)
  }

  function look(load) {
    for (const channel of channels) {
      const { busy = 0, waits = false } = load.get(channel) ?? {}
      if (waits) calmSince.set(channel, performance.now())
      const calmMs = performance.now() - calmSince.get(channel)
      const now = running.get(channel).length
      bringTo(channel, nextCount({ wanted: wantedOf(channel), now, busy, waits, calmMs, room: room() }))
    }
  }

  async function lookAgain() {
    if (looking || ended) return
    looking = true
    // a Redis that is away says nothing of load; what is set is known all the same
    const load = channels.some((channel) => wantedOf(channel) === 'auto')
      ? await readLoad().catch(() => new Map())
      : new Map()
    looking = false
    if (!ended) look(load)
  }

  look(new Map())
  const timer = setInterval(lookAgain, lookMs)
  const stopListening = settings.changed(lookAgain)
  return {
    end() {
      ended = true
      clearInterval(timer)
      stopListening()
    },
  }
}

/**
 * Of each channel: what share of a core its couriers use, and whether work waits.
 * @param {{ channels: readonly { channel: string, couriers: readonly { busy?: number }[], unclaimed: number }[] }} backlog
 */
export const loadOf = ({ channels }) =>
  new Map(
    channels.map(({ channel, couriers, unclaimed }) => {
      const busy = couriers.reduce((sum, courier) => sum + (courier.busy ?? 0), 0) / Math.max(1, couriers.length)
      return [channel, { busy, waits: unclaimed > 0 }]
    }),
  )
