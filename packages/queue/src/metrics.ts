import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly accepted: Counter<'source' | 'class'>
}

/** The queue's own registry: requests by route and status, accepted messages, and what Node says of itself. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const accepted = new Counter({
    name: 'fleet_messages_accepted_total',
    help: 'Messages accepted for delivery',
    labelNames: ['source', 'class'] as const,
    registers: [registry],
  })
  return { registry, accepted }
}

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
  app.addHook('onResponse', async (request, reply) => {
    // the pattern of the route, never the path: paths hold keys and would make a series each
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    requests.inc({ method: request.method, route, status: reply.statusCode })
    durations.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    request.log.debug({ method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime }, 'answered')
  })
}
