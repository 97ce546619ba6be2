import { setTimeout } from 'node:timers/promises'
import { atMost } from '@courier-fleet/process'
import type { Backlog, ChannelBacklog } from '@courier-fleet/store'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ChannelEndpoints } from './endpoints-left-alone.ts'
import { figuresText } from './figures-text.ts'
import type { FleetFigures } from './read-fleet.ts'

export interface Metrics {
  readonly registry: Registry
  /** All of it as Prometheus reads it, Node's own metrics among them. */
  text(): Promise<string>
  /** Counts messages that were accepted now. */
  countAccepted(messages: readonly { readonly source: string; readonly class: string }[]): void
  /** Counts what an inbound process does not try again. */
  countSetAside(channel: string, reason: string): void
}

/**
 * The queue's own registry: requests by route and status, accepted messages, and Node's default metrics. Those begin when somebody first
 * asks: the lag of the event loop is measured by waking the process a hundred times a second.
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  let measured: Promise<void> | undefined
  const accepted = new Counter({
    name: 'fleet_messages_accepted_total',
    help: 'Messages accepted for delivery',
    labelNames: ['source', 'class'] as const,
    registers: [registry],
  })
  const setAside = new Counter({
    name: 'fleet_inbound_set_aside_total',
    help: 'What people wrote on a channel, and could not be dealt with for this reason',
    labelNames: ['channel', 'reason'] as const,
    registers: [registry],
  })
  return {
    registry,
    async text() {
      measured ??= measureNode(registry)
      await measured
      return registry.metrics()
    },
    countAccepted(messages) {
      // grouped first: looking up the labels of a counter is slow for each of thousands
      const counts = new Map<string, number>()
      for (const { source, class: cls } of messages) {
        const labels = `${source} ${cls}`
        counts.set(labels, (counts.get(labels) ?? 0) + 1)
      }
      for (const [labels, count] of counts) {
        const [source, cls] = labels.split(' ') as [string, string]
        accepted.inc({ source, class: cls }, count)
      }
    },
    countSetAside: (channel, reason) => setAside.inc({ channel, reason }),
  }
}

/** Until the lag of the event loop was measured once, it would be said to be 292 years. */
async function measureNode(registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry })
  await setTimeout(50)
}

/** `/v1/histories/:key(^.+$)::retry`, as the router has it, is `/v1/histories/:key:retry` to everybody else. */
const namedRoute = (url: string) => url.replaceAll(/\(\^.+?\$\)/g, '').replaceAll('::', ':')

export function measureRequests(app: FastifyInstance, { registry }: Metrics): void {
  const requests = new Counter({
    name: 'fleet_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'fleet_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // the pattern of the route, never the path: paths hold keys and would make a series each
    const route = request.is404 ? 'none' : namedRoute(request.routeOptions.url ?? 'none')
    requests.inc({ method: request.method, route, status: reply.statusCode })
    durations.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    request.log.debug({ method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime }, 'answered')
    done()
  })
}

/** A scrape waits no longer than this for Redis. */
const scrapeMs = 1_500

const channelGauges: readonly (readonly [name: string, help: string, of: (channel: ChannelBacklog) => number])[] = [
  ['couriers_ready', 'Couriers that can send', ({ couriers }) => couriers.filter(({ ready }) => ready).length],
  ['waiting_people', 'People of running messages whose receipt on the channel is open', ({ waiting }) => waiting],
  [
    'unclaimed_entries',
    'Entries of its work streams that no courier of the channel has claimed',
    ({ unclaimed }) => unclaimed,
  ],
  [
    'oldest_unclaimed_seconds',
    'How long the first of those has been there',
    (channel) => channel.oldestUnclaimedMs / 1000,
  ],
  ['claims_in_progress', 'Claims that a courier keeps alive', ({ inProgress }) => inProgress],
  ['claims_abandoned', 'Claims that nobody has renewed for a lease', ({ abandoned }) => abandoned],
  [
    'longest_abandoned_seconds',
    'Since the first of those was last renewed',
    (channel) => channel.longestAbandonedMs / 1000,
  ],
  ['pause_seconds', 'How long the provider makes the channel wait', ({ pausedForMs }) => pausedForMs / 1000],
  ['channel_stuck', '1 when something was left alone for too long and nobody works', ({ stuck }) => (stuck ? 1 : 0)],
]

const overdueGauges: readonly (readonly [name: string, help: string, of: (overdue: Backlog['overdue']) => number])[] = [
  ['overdue_deliveries', 'Deliveries whose time has come and that nobody has woken', ({ deliveries }) => deliveries],
  ['oldest_overdue_seconds', 'How late the first of those is', ({ oldestMs }) => oldestMs / 1000],
  ['overdue_stuck', '1 when that is too late and nobody works', ({ stuck }) => (stuck ? 1 : 0)],
]

const endpointGauges: readonly (readonly [name: string, help: string, of: (endpoints: ChannelEndpoints) => number])[] =
  [
    [
      'endpoints_left_alone',
      'URLs that have failed and are asked again later',
      ({ breakers }) => openIn(breakers).length,
    ],
    [
      'longest_left_alone_seconds',
      'Since the first of those was left alone',
      ({ breakers, asOfMs }) => Math.max(0, ...openIn(breakers).map(({ sinceMs }) => asOfMs - sinceMs)) / 1000,
    ],
    [
      'endpoints_off',
      'URLs that nobody calls until somebody says so',
      ({ breakers }) => breakers.length - openIn(breakers).length,
    ],
  ]

const openIn = (breakers: ChannelEndpoints['breakers']) => breakers.filter(({ state }) => state === 'open')

/**
 * Gauges of what waits in the fleet, read for each scrape; every queue process reports the same. While Redis is away the
 * figures are missing rather than old, and `fleet_redis_up` is 0.
 * @returns updates the gauges, and returns what is to stand behind the registry: the figures of other processes
 */
export function measureFleet({ registry }: Metrics, read: () => Promise<FleetFigures>): () => Promise<string> {
  const make = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `fleet_${name}`, help, labelNames, registers: [registry] })
  const up = make('redis_up', '1 when Redis answered this scrape')
  const used = make('redis_used_bytes', 'Memory that Redis uses')
  const max = make('redis_max_bytes', 'Memory that Redis may use (maxmemory); 0 for no limit')
  const alarm = make('alarm', '1 while this alarm holds', ['alarm'])
  const subscriptions = make('subscriptions', 'Subscriptions by how they fare', ['state'])
  const undelivered = make(
    'oldest_undelivered_seconds',
    'How long the oldest change has waited that a subscriber does not know',
  )
  const ofOverdue = overdueGauges.map(([name, help, of]) => ({ gauge: make(name, help), of }))
  const ofEndpoints = endpointGauges.map(([name, help, of]) => ({ gauge: make(name, help, ['channel']), of }))
  const ofChannel = channelGauges.map(([name, help, of]) => ({ gauge: make(name, help, ['channel']), of }))

  return async () => {
    const found: FleetFigures[] = []
    await atMost(
      scrapeMs,
      read().then((fleet) => found.push(fleet)),
    )
    const [fleet] = found
    up.set(fleet ? 1 : 0)
    for (const gauge of [used, max, undelivered, ...ofOverdue.map(({ gauge }) => gauge)]) gauge.remove()
    for (const gauge of [alarm, subscriptions, ...[...ofChannel, ...ofEndpoints].map((each) => each.gauge)])
      gauge.reset()
    if (!fleet) return ''
    const { backlog, memory, alarms, figures } = fleet
    used.set(memory.usedBytes)
    max.set(memory.maxBytes)
    for (const [state, count] of Object.entries(fleet.undelivered.states)) subscriptions.set({ state }, count)
    undelivered.set(fleet.undelivered.oldestMs / 1000)
    for (const { name } of alarms) alarm.set({ alarm: name }, 1)
    for (const { gauge, of } of ofOverdue) gauge.set(of(backlog.overdue))
    for (const { gauge, of } of ofChannel) {
      for (const channel of backlog.channels) gauge.set({ channel: channel.channel }, of(channel))
    }
    for (const { gauge, of } of ofEndpoints) {
      for (const each of fleet.endpoints) gauge.set({ channel: each.channel }, of(each))
    }
    return `\n${figuresText(figures)}\n`
  }
}
