/**
 * What the phones page watches: server-sent events. A page is told the wall as it is first, then the phones on which something
 * changed, a few times a second and a bounded number at a time: `total` says how many messages there were, however many are shown.
 */
import type { ServerResponse } from 'node:http'
import { type ChannelName, channelNames } from '@courier-fleet/channels'
import type { Phone } from '../stand-in.ts'
import { keyOf, type World } from '../world.ts'
import { latestPhones, type PhoneView, wholePeople } from './phone-view.ts'

export interface LiveEvents {
  /** Writes to this response until its client goes away. */
  attach(response: ServerResponse): void
  stop(): void
}

/** `first`: the wall anew · `changes`: these phones have changed */
export interface WallEvent {
  readonly total: Readonly<Record<ChannelName, number>>
  readonly phones: readonly PhoneView[]
}

type Key = Pick<Phone, 'channel' | 'address'>

const everyMs = 150
/** of each channel: a flood on one must not hide what happens on the others */
const maxShownAtOnce = 40
const maxShownFirst = 400
/** of each channel; while so many wait to be shown, others are left out until their next change */
const maxChanged = 2000
/** a silent connection is kept alive through proxies */
const beatMs = 15_000

const ofEach = <T>(make: () => T) =>
  Object.fromEntries(channelNames.map((channel) => [channel, make()])) as Record<ChannelName, T>

export function createLiveEvents(world: World): LiveEvents {
  const pages = new Set<ServerResponse>()
  const changed = ofEach(() => new Map<string, Key>())
  let total = ofEach(() => 0)
  for (const { channel } of world.accepted) total[channel]++
  let timer: NodeJS.Timeout | undefined

  const note = ({ channel, address }: Key) => {
    if (pages.size === 0) return
    const waiting = changed[channel]
    if (waiting.size < maxChanged) waiting.set(keyOf({ channel, address }), { channel, address })
    timer ??= setTimeout(flush, everyMs)
  }
  const count = (message: Key) => {
    total[message.channel]++
    note(message)
  }
  const forget = () => {
    total = ofEach(() => 0)
    for (const waiting of Object.values(changed)) waiting.clear()
    for (const page of pages) page.write(first())
  }
  const noted = ['say', 'phone', 'revised', 'changed', 'expired'] as const
  world.on('accepted', count)
  for (const name of noted) world.on(name, note)
  world.on('forgotten', forget)

  function flush(): void {
    timer = undefined
    const phones = channelNames.flatMap((channel) => take(changed[channel]))
    const event = eventOf('changes', { total, phones: wholePeople(world, phones) })
    // a page that does not keep up misses some, it does not pile them up here
    for (const page of pages) if (!page.writableNeedDrain) page.write(event)
    if (channelNames.some((channel) => changed[channel].size > 0)) timer = setTimeout(flush, everyMs)
  }

  function first(): string {
    return eventOf('first', { total, phones: latestPhones(world, maxShownFirst) })
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
    stop() {
      world.off('accepted', count)
      for (const name of noted) world.off(name, note)
      world.off('forgotten', forget)
      clearTimeout(timer)
      for (const page of pages) page.end()
      pages.clear()
    },
  }
}

/** The oldest of them, so that everyone is shown. */
function take(waiting: Map<string, Key>): Key[] {
  const taken = [...waiting].slice(0, maxShownAtOnce)
  for (const [key] of taken) waiting.delete(key)
  return taken.map(([, phone]) => phone)
}

function eventOf(name: 'first' | 'changes', data: WallEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
