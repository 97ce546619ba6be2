/** What the sender or an operator decides about those whose endpoint took it in no try: to try again. */
import { historyKeyOf, retryBody, retryOutcome } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import { retryUntilOf } from '../acceptance/times.ts'
import { aboutMessage } from '../access/audit.ts'
import { historyOf } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { requireKeptFiles } from '../files/kept-files.ts'
import { readSnapshot } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

export function retryRoutes(app: App, { histories, audit, clock }: RouteDeps): void {
  app.post(
    '/histories/:key(^[\\s\\S]+$)::retry',
    {
      config: {
        problems: [
          '409 has-expired',
          '409 in-progress',
          '409 was-cancelled',
          '409 files-end-first',
          '422 expires-before-at',
          '422 too-far',
        ],
      },
      schema: {
        tags: ['histories'],
        operationId: 'retryMessage',
        summary: 'Try those again whose endpoint took it in no try',
        description:
          'Of a message that has settled, within 14 days: whoever has `failed` on `http` with the reason `not-taken` is called again, under the ' +
          'same id and with the same body, by the schedule from its beginning, until `expires`. Nobody else is touched, and nobody twice: they are ' +
          'pending meanwhile. It counts against no quota, and an endpoint that is switched off has to be enabled first. The message runs again until it has settled. One whose files would not be kept until then is not tried again.',
        params: keyParams,
        body: retryBody,
        response: answers({ 202: retryOutcome }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'manage')
      const untilMs = retryUntilOf(request.body, clock.now())
      const snapshot = await readSnapshot(histories, ref)
      requireKeptFiles(histories.message(snapshot)?.files, untilMs, 'expires')
      const people = await histories.retry(snapshot, { channel: http.name, untilMs })
      const about = aboutMessage(request.principal, ref)
      await audit.write({ action: 'receipts.retried', ...about, channel: http.name, detail: String(people) })
      reply.code(202)
      return { key: historyKeyOf(ref), people }
    },
  )
}
