/** Why a channel waits: `GET /v1/channels`, read again and again while somebody watches. */
import type { ChannelView, MovingView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface Pauses {
  readonly channels: Signal<readonly ChannelView[]>
  /** parts of the data that Redis moves: what is in them waits */
  readonly moving: Signal<readonly MovingView[]>
  start(): void
  /** Reads at once. */
  again(): Promise<void>
  stop(): void
}

const everyMs = 2000

export function createPauses(api: Client): Pauses {
  const channels = signal<readonly ChannelView[]>([])
  const moving = signal<readonly MovingView[]>([])
  let timer: ReturnType<typeof setInterval> | undefined
  const ask = () =>
    api.channels().then(
      (list) => {
        channels.value = list.channels
        moving.value = list.moving
      },
      () => {}, // without it only the explanation is missing
    )
  return {
    channels,
    moving,
    again: ask,
    start() {
      if (timer) return
      ask()
      timer = setInterval(ask, everyMs)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      channels.value = []
      moving.value = []
    },
  }
}
