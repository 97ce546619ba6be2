/** What the sender or an operator decides about people who wait for a time that a rule about people has set. */
import {
  type HeldCause,
  type HistoryView,
  heldCauses,
  heldOutcome,
  historyKeyOf,
  typeOf,
} from '@courier-fleet/api-types'
import { heldFor, wordsIn } from '@courier-fleet/words'
import { mayIgnoreQuiet, requireMayIgnoreQuiet } from '../acceptance/check-rules.ts'
import { aboutMessage } from '../access/audit.ts'
import { historyOf } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { readSnapshot } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

const tags = ['histories']

export function waitingRoutes(app: App, deps: RouteDeps): void {
  addSendNow(app, deps)
  addCancelHeld(app, deps)
}

function addSendNow(app: App, { histories, settings, audit }: RouteDeps): void {
  app.post(
    '/histories/:key/waiting::send-now',
    {
      config: { problems: ['403 ignores-quiet', '409 cancelled'] },
      schema: {
        tags,
        operationId: 'sendWaitingNow',
        summary: "Send now to those who wait because of the fleet's quiet hours, or until they are online",
        description:
          'Because of quiet hours for staff, or where the type of the message ignores them; until they are online for its sender, and those alone where ' +
          'quiet hours may not be ignored. Nobody is held for those from then on; whoever has quiet hours ' +
          'of their own, or an exam, still waits for their end. Caps and intervals hold as ever, and nobody gets it twice.',
        params: keyParams,
        response: answers({ 202: heldOutcome }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'manage')
      const { principal: by } = request
      const snapshot = await readSnapshot(histories, ref)
      const view = await histories.view(snapshot)
      const type = typeOf(settings.current().types, histories.message(snapshot)?.rules?.type)
      const causes = sentNow(view, mayIgnoreQuiet(type, by))
      if (causes.includes('quiet')) requireMayIgnoreQuiet(type, by)
      const people = heldFor(view, causes)
      for (const cause of causes) await histories.callForward(ref, cause, by.owner)
      await audit.write({
        action: 'message.waiting-sent',
        ...aboutMessage(by, ref),
        detail: wordsIn('en').people(people),
      })
      reply.code(202)
      return { key: historyKeyOf(ref), people }
    },
  )
}

function addCancelHeld(app: App, { histories, audit }: RouteDeps): void {
  app.post(
    '/histories/:key/waiting::cancel',
    {
      config: { problems: ['409 cancelled'] },
      schema: {
        tags,
        operationId: 'cancelWaiting',
        summary: 'Cancel it for those who wait because of a rule about people, and for nobody else',
        description:
          'Of quiet hours, exams, caps and intervals, or until they are online. Their receipts are `cancelled`; whoever of this message comes to wait later is cancelled, too.',
        params: keyParams,
        response: answers({ 202: heldOutcome }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'manage')
      const { principal: by } = request
      const people = heldFor(await histories.view(await readSnapshot(histories, ref)), heldCauses)
      for (const cause of heldCauses) await histories.cancelHeld(ref, cause, by.owner)
      await audit.write({
        action: 'message.waiting-cancelled',
        ...aboutMessage(by, ref),
        detail: wordsIn('en').people(people),
      })
      reply.code(202)
      return { key: historyKeyOf(ref), people }
    },
  )
}

/**
 * A message that waits until people are online goes out in quiet hours only where somebody waits for their end; whoever may not send it then
 * sends it to those who are to be online, if there are any.
 */
function sentNow({ whenOnline, waiting = [] }: HistoryView, maySendInQuiet: boolean): HeldCause[] {
  if (!whenOnline) return ['quiet']
  const waits = (cause: HeldCause) => waiting.some((each) => each.cause === cause)
  return waits('quiet') && (maySendInQuiet || !waits('online')) ? ['online', 'quiet'] : ['online']
}
