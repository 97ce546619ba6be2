/** A history as server-sent events: now, and after every change, until nothing more can be told of it. */
import type { HistoryRef } from '@courier-fleet/api-types'
import { historyOf } from '../access/auth.ts'
import { refusedSignal } from '../access/refused-signal.ts'
import type { RouteDeps } from '../app-deps.ts'
import { readHistory } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { closedSignal } from '../http/wait.ts'
import { withHeartbeat } from '../http/with-heartbeat.ts'
import { answers, content, streamOf } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

/** changes that come faster are told as one */
const everyMs = 200

export function eventRoutes(app: App, { histories, tracker, openCalls, stopping, log }: RouteDeps): void {
  async function* events(ref: HistoryRef, signal: AbortSignal) {
    for await (const view of tracker.watch(ref, { until: 'final', everyMs }, signal)) {
      yield `event: history\ndata: ${JSON.stringify(view)}\n\n`
    }
  }

  app.get(
    '/histories/:key/events',
    {
      config: { problems: ['429 too-many-open'] },
      schema: {
        tags: ['histories'],
        operationId: 'watchHistory',
        summary: 'The history now and after every change, until nothing more can be told of it',
        description:
          'Server-sent events named `history`; the data is a HistoryView. After it has settled they go on while `people.handedOver` may still be confirmed and `people.unknown` may be decided, for three days at most. They end when the caller may not see it any more.',
        params: keyParams,
        response: answers({ 200: content('text/event-stream', 'events', streamOf('HistoryView')) }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'read')
      await readHistory(histories, ref)
      openCalls.enter(request.principal, reply)
      const signal = AbortSignal.any([closedSignal(reply), stopping, refusedSignal(request, reply)])
      const out = withHeartbeat(events(ref, signal), (error) => {
        if (error && !signal.aborted) log.warn({ err: error }, 'events ended early')
      })
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-cache')
        .header('x-accel-buffering', 'no')
        .send(out)
    },
  )
}
