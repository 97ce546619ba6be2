/**
 * What the phones page watches: server-sent events. A page is told what it missed first, then what arrives, a few times a
 * second and a bounded number at a time: `total` says how many there were, however many are shown.
 */
import type { ServerResponse } from 'node:http'
import type { Accepted, SandboxChannel, World } from '../stand-in.ts'

export interface LiveEvents {
  /** Writes to this response until its client goes away. */
  attach(response: ServerResponse): void
  /** Shows the pages everything anew: after messages were forgotten, or phones declared. */
  refresh(): void
  stop(): void
}

const everyMs = 150
/** of each channel: a flood on one must not hide what arrives on the others */
const shownAtOnce = 100
const shownAtFirst = 150
/** a silent connection is kept alive through proxies */
const beatMs = 15_000

const none = (): Record<SandboxChannel, number> => ({ telegram: 0, vk: 0, sms: 0 })

export function createLiveEvents(world: World): LiveEvents {
  const pages = new Set<ServerResponse>()
  let total = count()
  let arrived: Accepted[] = []
  let arrivedOn = none()
  let timer: NodeJS.Timeout | undefined

  const hear = (message: Accepted) => {
    total[message.channel]++
    if (pages.size === 0) return
    if (arrivedOn[message.channel]++ < shownAtOnce) arrived.push(message)
    timer ??= setTimeout(flush, everyMs)
  }
  world.on('accepted', hear)

  function flush(): void {
    timer = undefined
    const event = eventOf('messages', { total, messages: arrived })
    arrived = []
    arrivedOn = none()
    // a page that does not keep up misses some, it does not pile them up here
    for (const page of pages) if (!page.writableNeedDrain) page.write(event)
  }

  function first(): string {
    const notInOrder = world.phones().filter(({ state }) => state !== 'ok')
    return eventOf('first', { total, messages: latest(), phones: notInOrder.slice(0, shownAtFirst) })
  }

  /** The latest messages of each channel, oldest first. */
  function latest(): Accepted[] {
    const found: Accepted[] = []
    const shown = none()
    for (let i = world.accepted.length - 1; i >= 0 && found.length < 3 * shownAtFirst; i--) {
      const message = world.accepted[i] as Accepted
      if (shown[message.channel]++ < shownAtFirst) found.push(message)
    }
    return found.reverse()
  }

  function count(): Record<SandboxChannel, number> {
    const counts = none()
    for (const { channel } of world.accepted) counts[channel]++
    return counts
  }

  return {
    attach(response) {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      response.write(first())
      pages.add(response)
      const beat = setInterval(() => response.write(':\n\n'), beatMs)
      response.on('close', () => {
        clearInterval(beat)
        pages.delete(response)
      })
    },
    refresh() {
      total = count()
      arrived = []
      arrivedOn = none()
      for (const page of pages) page.write(first())
    },
    stop() {
      world.off('accepted', hear)
      clearTimeout(timer)
      for (const page of pages) page.end()
      pages.clear()
    },
  }
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
