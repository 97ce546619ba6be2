/** What the sender or an operator decides about receipts that are unknown: what has become of them, or to send again. */
import { decisionOutcome, historyKeyOf, resendBody, resolveBody } from '@courier-fleet/api-types'
import { endOfSending } from '../acceptance/times.ts'
import { aboutMessage } from '../access/audit.ts'
import { historyOf } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { requireKeptFiles } from '../files/kept-files.ts'
import { readSnapshot } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

const tags = ['histories']

export function unknownReceiptRoutes(app: App, deps: RouteDeps): void {
  addResolve(app, deps)
  addResend(app, deps)
}

function addResolve(app: App, { histories, audit }: RouteDeps): void {
  app.post(
    '/histories/:key/receipts::resolve',
    {
      config: { problems: ['422 unknown-channel', '422 not-in-audience'] },
      schema: {
        tags,
        operationId: 'resolveReceipts',
        summary: 'Say what has become of recipients who are unknown',
        description:
          'For whoever has found out. They become `delivered` or `failed`, with the reason `told-delivered` or `told-failed`; a later report of ' +
          'the provider that it arrived still counts. What somebody has told of people who are named may be corrected.',
        params: keyParams,
        body: resolveBody,
        response: answers({ 200: decisionOutcome }),
      },
    },
    async (request) => {
      const ref = historyOf(request, 'manage')
      const { body, principal: by } = request
      const { channel, outcome } = body
      const people = await histories.resolve(await readSnapshot(histories, ref), { ...body, by: by.owner }, outcome)
      const detail = `${people} ${outcome}`
      await audit.write({ action: 'receipts.resolved', ...aboutMessage(by, ref), channel, detail })
      return { key: historyKeyOf(ref), channel, people }
    },
  )
}

function addResend(app: App, { histories, audit, clock }: RouteDeps): void {
  app.post(
    '/histories/:key/receipts::resend',
    {
      config: {
        problems: [
          '409 has-expired',
          '409 was-cancelled',
          '409 files-end-first',
          '422 unknown-channel',
          '422 not-in-audience',
        ],
      },
      schema: {
        tags,
        operationId: 'resendReceipts',
        summary: 'Send again to recipients who are unknown',
        description:
          'They may get it twice: the channel could not say whether it arrived. Nobody else is sent to, and they only once for each call that ' +
          'finds them unknown. It counts against no quota. Until something is known they stay `unknown`, with the reason `still-unknown` when the ' +
          'second attempt was no clearer. The message runs again until it has settled. One whose files would not be kept until then is not sent again.',
        params: keyParams,
        body: resendBody,
        response: answers({ 202: decisionOutcome }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'manage')
      const { body, principal: by } = request
      const { channel } = body
      const snapshot = await readSnapshot(histories, ref)
      const message = histories.message(snapshot)
      if (message) requireKeptFiles(message.files, endOfSending(0, message.expiresMs, clock.now()))
      const people = await histories.resend(snapshot, { ...body, by: by.owner })
      await audit.write({ action: 'receipts.sent-again', ...aboutMessage(by, ref), channel, detail: String(people) })
      reply.code(202)
      return { key: historyKeyOf(ref), channel, people }
    },
  )
}
