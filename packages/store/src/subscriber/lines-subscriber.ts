/**
 * Listens at every node where a channel is told, and goes with it: who is there is looked at every few seconds, and soon after a line was lost or
 * a node has let a channel go.
 */
import { EventEmitter } from 'node:events'
import { alignedInterval } from '@courier-fleet/process'
import type { RedisNode } from '../connection/client.ts'
import type { Nodes } from './cluster-reader.ts'
import { type Kind, Line } from './line.ts'
import type { Subscriber, SubscriberEvents } from './subscriber.ts'

interface LinesDeps {
  /** see LineDeps */
  readonly connect: (url: string) => RedisNode
  /** Who is there; undefined when nobody can say now. */
  readonly readNodes: () => Promise<Nodes | undefined>
  readonly askEveryMs: number
  readonly onEnd: () => void
}

/** while a cluster changes, its nodes do not agree at once */
const soonMs = 200
const unsureMs = 1_000

/** What Redis tells of itself, and nothing else, begins like this. */
const kindOf = (channel: string): Kind => (channel.startsWith('__key') ? 'events' : 'sharded')

export class LinesSubscriber extends EventEmitter<SubscriberEvents> implements Subscriber {
  readonly #deps: LinesDeps
  /** each channel that is wanted, and at which nodes it is listened to */
  readonly #places = new Map<string, readonly string[]>()
  readonly #lines: Record<Kind, Map<string, Line>> = { events: new Map(), sharded: new Map() }
  #nodes: Nodes | undefined
  #hasLooked = false
  #looking: Promise<void> | undefined
  #soon: NodeJS.Timeout | undefined
  #stopLooking: (() => void) | undefined
  #ended = false

  constructor(deps: LinesDeps) {
    super()
    this.#deps = deps
  }

  async subscribe(...channels: string[]): Promise<void> {
    for (const channel of channels) if (!this.#places.has(channel)) this.#places.set(channel, [])
    this.#stopLooking ??= alignedInterval(this.#deps.askEveryMs, () => void this.#look())
    if (!this.#nodes) await this.#look()
    await Promise.all(channels.map((channel) => this.#place(channel)))
  }

  unsubscribe(...channels: string[]): void {
    for (const channel of channels) {
      const kind = kindOf(channel)
      for (const node of this.#places.get(channel) ?? []) this.#lines[kind].get(node)?.remove(channel)
      this.#places.delete(channel)
    }
  }

  disconnect(): void {
    this.#ended = true
    this.#stopLooking?.()
    clearTimeout(this.#soon)
    this.#places.clear()
    this.#closeOthers([])
    this.#deps.onEnd()
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  #lookAfter(ms: number): void {
    if (this.#ended) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void Promise.resolve(this.#looking).then(() => this.#look())
    }, ms).unref()
  }

  async #lookNow(): Promise<void> {
    const isFirst = !this.#hasLooked
    this.#hasLooked = true
    const nodes = await this.#deps.readNodes()
    if (this.#ended) return
    if (!nodes) return this.#lookAfter(unsureMs)
    this.#nodes = nodes
    this.#closeOthers(nodes.all)
    const moved = [...this.#places.keys()].filter((channel) => this.#isElsewhere(channel))
    await Promise.all(moved.map((channel) => this.#place(channel).catch(() => {})))
    if (moved.length > 0 && !isFirst && !this.#ended) this.emit('ready')
    for (const line of this.#lines.sharded.values()) void line.look()
  }

  #nodesOf(channel: string): readonly string[] {
    if (kindOf(channel) === 'events') return this.#nodes?.all ?? []
    const owner = this.#nodes?.ownerOf(channel)
    return owner === undefined ? [] : [owner]
  }

  #isElsewhere(channel: string): boolean {
    const before = this.#places.get(channel) ?? []
    const now = this.#nodesOf(channel)
    return now.length !== before.length || now.some((node) => !before.includes(node))
  }

  /** Has a channel listened to where it is told now, and nowhere else. */
  async #place(channel: string): Promise<void> {
    const before = this.#places.get(channel)
    if (!before) return // it was given up meanwhile
    const kind = kindOf(channel)
    const now = this.#nodesOf(channel)
    this.#places.set(channel, now)
    for (const node of before) if (!now.includes(node)) this.#lines[kind].get(node)?.remove(channel)
    await Promise.all(now.map((node) => this.#line(kind, node).add(channel)))
  }

  #line(kind: Kind, node: string): Line {
    const known = this.#lines[kind].get(node)
    if (known) return known
    const line = new Line({
      redis: this.#deps.connect(node),
      kind,
      askEveryMs: this.#deps.askEveryMs,
      onMessage: (channel, payload) => void this.emit('message', channel, payload),
      onReturn: () => void this.emit('ready'),
      onTrouble: () => this.#lookAfter(soonMs),
    })
    this.#lines[kind].set(node, line)
    return line
  }

  /** Lines to nodes that are no more. */
  #closeOthers(nodes: readonly string[]): void {
    for (const lines of Object.values(this.#lines))
      for (const [node, line] of lines) {
        if (nodes.includes(node)) continue
        line.close()
        lines.delete(node)
      }
  }
}
