/** History keys and what stands under them. */
import {
  acceptance,
  cancellation,
  historiesPage,
  historyCounts,
  historyKeyOf,
  historyView,
  id,
  issuedKey,
  listStates,
  messageBody,
  Problem,
  recallRehearsal,
  recountReport,
  rescheduleBody,
  trackerBody,
  trackerReport,
} from '@courier-fleet/api-types'
import { z } from 'zod'
import { dueOf, endOfSending, expiryOfMoved } from '../acceptance/times.ts'
import { aboutMessage } from '../access/audit.ts'
import { historyOf, requireRole } from '../access/auth.ts'
import type { Caller } from '../access/callers.ts'
import { refusedSignal } from '../access/refused-signal.ts'
import type { RouteDeps } from '../app-deps.ts'
import { requireKeptFiles } from '../files/kept-files.ts'
import { countHistories, everybody, listHistories } from '../histories/list-histories.ts'
import { snapshotOf } from '../histories/prefetch.ts'
import { acceptanceOf, readHistory, readSnapshot } from '../histories/read-history.ts'
import { requireKept } from '../histories/while-kept.ts'
import { tagAnswer } from '../http/conditional.ts'
import type { App } from '../http/fastify-app.ts'
import { closedSignal } from '../http/wait.ts'
import { answers, notModified } from '../openapi/openapi.ts'
import { rehearseRecall } from '../plan/rehearse-changes.ts'
import { ofMessages } from './message-problems.ts'
import { dryRunQuery, keyParams, limitParam } from './parameters.ts'

const tags = ['histories']
/** of an issued key, which lapses after a day */
const bytesOfKey = 200

const which = z.strictObject({
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      'those alone where each of these words is somewhere in the text or in what its recipients are called; of all senders, in who sent it, too',
    )
    .meta({ examples: ['exam 101'] }),
  sender: z
    .union([id, z.literal(everybody)])
    .optional()
    .describe(`whose: your own when absent; of one sender, or ${everybody} for all, for operators`)
    .meta({ examples: ['t-gus', everybody] }),
})

const listQuery = which.extend({
  before: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('`next` of the page before')
    .meta({ examples: [1_788_242_400_000] }),
  limit: limitParam(100, 20),
  state: z
    .enum(listStates)
    .optional()
    .describe(
      'those alone; `held`: that wait for an operator, the last that came to wait first, and no more `scheduled`',
    ),
})

export function historyRoutes(app: App, deps: RouteDeps): void {
  addIssueKey(app, deps)
  addList(app, deps)
  addCounts(app, deps)
  addPut(app, deps)
  addRead(app, deps)
  addReschedule(app, deps)
  addCancel(app, deps)
  addRelease(app, deps)
  addTracker(app, deps)
  addRecount(app, deps)
}

function addIssueKey(app: App, { histories, allowances }: RouteDeps): void {
  app.post(
    '/history-keys',
    {
      schema: {
        tags,
        operationId: 'issueHistoryKey',
        summary: 'Issue a history key, good for a day until used',
        description:
          'The first of two steps that may each be repeated: a message put under the key is never sent twice. A tracker may wait for the key before there is a message.',
        response: answers({ 201: issuedKey }),
      },
    },
    async (request, reply) => {
      await allowances.store(request.principal, 0, bytesOfKey)
      reply.code(201)
      return { key: await histories.issue(request.principal.owner) }
    },
  )
}

function addList(app: App, { histories, directory }: RouteDeps): void {
  app.get(
    '/histories',
    {
      schema: {
        tags,
        operationId: 'listHistories',
        summary: 'Your own messages, newest first; of others, for operators',
        description:
          'A page of messages without their receipts, by `state` and by the words of `search`. One call looks at some 5000 messages, 2000 where words are searched for: where that is not all of them, `searchedSince` says how far it came, and `next` goes on.',
        querystring: listQuery,
        response: answers({ 200: historiesPage }),
      },
    },
    async ({ principal, query }) => {
      const page = await listHistories({ histories, directory }, { ...query, sender: whose(principal, query.sender) })
      if (query.sender === undefined || query.sender === principal.owner) return page
      const senders = [...new Set(page.histories.map((history) => history.sender))]
      const names = await directory.namesOf(senders)
      const named = page.histories.map((history) => {
        const senderName = names[senders.indexOf(history.sender)]
        return senderName === undefined ? history : { ...history, senderName }
      })
      return { ...page, histories: named }
    },
  )
}

function addCounts(app: App, { histories, directory }: RouteDeps): void {
  app.get(
    '/history-counts',
    {
      schema: {
        tags,
        operationId: 'countHistories',
        summary: 'How many of your messages are in which state; of others, for operators',
        description:
          'Of those that `search` means, or of all. The newest 5000 or so are counted, 2000 where words are searched for: where there are more, `since` says how far the count goes back.',
        querystring: which,
        response: answers({ 200: historyCounts }),
      },
    },
    async ({ principal, query }) =>
      countHistories({ histories, directory }, { ...query, sender: whose(principal, query.sender) }),
  )
}

/** @throws Problem 403 `not-allowed`, of those of others to whoever is no operator */
function whose(caller: Caller, sender: string | undefined): string {
  if (sender !== undefined && sender !== caller.owner) requireRole(caller, 'operator')
  return sender ?? caller.owner
}

function addPut(app: App, { histories, acceptMessages }: RouteDeps): void {
  app.put(
    '/histories/:key',
    {
      config: { idempotency: 'message', problems: [...ofMessages, '422 about-with-key'] },
      schema: {
        tags,
        operationId: 'putMessage',
        summary: 'Put the message of an issued key',
        description:
          'The same body again is answered 200 with the message as it is now, also after a PATCH; once cancelled it is a 409 `cancelled`, and so is another body.',
        params: keyParams,
        body: messageBody,
        response: answers({ 200: acceptance, 201: acceptance }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'put')
      const { body, principal: by } = request
      if (body.about !== undefined) {
        throw new Problem(422, 'about-with-key', 'what is about something gets its key from POST /v1/messages', 'about')
      }
      if (body.event !== undefined) {
        const detail = 'what hangs on an event gets its key from POST /v1/messages, for it lies where the event does'
        throw new Problem(422, 'event-with-key', detail, 'event')
      }
      const accepted = await acceptMessages.one({ ref, issued: true, repeatable: true, body }, by)
      const { created, quotaLeft } = accepted
      reply.code(created ? 201 : 200)
      if (quotaLeft !== undefined) reply.header('quota-left', quotaLeft)
      return acceptanceOf(histories, accepted)
    },
  )
}

function addRead(app: App, { histories }: RouteDeps): void {
  app.get(
    '/histories/:key',
    {
      config: { reads: 'history' },
      onSend: tagAnswer,
      schema: {
        tags,
        operationId: 'readHistory',
        summary: 'What has become of it so far',
        description:
          'The counters of every channel, everyone of the audience in exactly one class, who waits and why. Has an `ETag`: shown as `If-None-Match`, an answer that has not changed is 304.',
        params: keyParams,
        response: answers({ 200: historyView, 304: notModified }),
      },
    },
    async (request) => histories.view(await snapshotOf(request, histories), { recent: true }),
  )
}

function addReschedule(app: App, { histories, forecasts, audit, clock }: RouteDeps): void {
  app.patch(
    '/histories/:key',
    {
      config: {
        problems: [
          '409 already-started',
          '409 cancelled',
          '409 files-end-first',
          '422 expires-first',
          '422 past-at',
          '422 too-far',
          '422 nobody-in-time',
        ],
        idempotency: 'message',
      },
      schema: {
        tags,
        operationId: 'rescheduleMessage',
        summary: 'Reschedule it, until it starts',
        description:
          'Moves the due time of a message that has not started; once it has, is over or was cancelled, 409 `already-started`. What it says of quiet hours and the like is planned anew. The `expires` it was sent with stays: 422 `expires-first` where that would be before the new time, or before its last step is due by it. Where it was sent with none it expires as long after the new time as after the old one.',
        params: keyParams,
        body: rescheduleBody,
        response: answers({ 200: historyView }),
      },
    },
    async (request) => {
      const ref = historyOf(request, 'manage')
      const snapshot = await readSnapshot(histories, ref)
      const { at: before } = await histories.view(snapshot)
      const now = clock.now()
      const dueMs = dueOf(request.body.at, now)
      const message = histories.message(snapshot)
      const expiresMs = message ? expiryOfMoved(message, dueMs, now) : 0
      if (message) requireKeptFiles(message.files, endOfSending(dueMs, expiresMs, now), 'at')
      const plan = message && (await forecasts.planOf(message, { ...message, dueMs, expiresMs }))
      await histories.reschedule(ref, dueMs, plan)
      const history = await readHistory(histories, ref)
      await audit.write({
        action: 'message.rescheduled',
        ...aboutMessage(request.principal, ref),
        before,
        after: history.at,
      })
      return history
    },
  )
}

const cancelQuery = dryRunQuery
  .extend({
    unstarted: z
      .literal('true')
      .optional()
      .describe('only where it has not started; once it has, it is left alone, and answered 409'),
    recall: z
      .literal('true')
      .optional()
      .describe('whoever has it loses it, too, where the channel can; not with `unstarted`'),
  })
  .refine(({ unstarted, recall }) => !unstarted || !recall, {
    message: 'nobody has a message that has not begun: leave out unstarted, or recall',
    path: ['recall'],
  })
  .refine(({ dryRun, recall }) => !dryRun || recall, {
    message: 'only what recall would do is told: add recall=true',
    path: ['dryRun'],
  })

function addCancel(app: App, deps: RouteDeps): void {
  const { histories, quota, audit } = deps
  app.delete(
    '/histories/:key',
    {
      config: {
        problems: [
          '409 already-settled',
          '409 already-started',
          '409 has-expired',
          '409 in-progress',
          '409 was-cancelled',
        ],
      },
      schema: {
        tags,
        operationId: 'cancelMessage',
        summary: 'Cancel it, stop it after the batches in flight, or take it back from whoever has it',
        description:
          '`cancelled`: nobody gets it. `stopping`: it has begun, and stops after the batches in flight; who was not sent to by then is `cancelled`. With `unstarted=true` a message that has begun is left alone: 409 `already-started`. ' +
          'With `recall=true` it is also taken from whoever has it: deleted where the channel can, else replaced by a notice, else left; `recalled` of the history counts whom. That is `withdrawing`, until 14 days after it has settled. May be repeated. ' +
          'With `dryRun=true` besides nothing is changed, and the answer says what would become of whom; of one that is being taken back already 409 `was-cancelled`.',
        params: keyParams,
        querystring: cancelQuery,
        response: answers({
          200: z.union([cancellation, recallRehearsal]).describe('what was done; or, with `dryRun`, what would be'),
        }),
      },
    },
    async (request) => {
      const ref = historyOf(request, 'manage')
      if (request.query.dryRun) return rehearseRecall(deps, await readSnapshot(histories, ref))
      const before = await histories.state(ref)
      const isRecall = request.query.recall !== undefined
      const by = request.principal.owner
      const outcome = isRecall
        ? await histories.recall(ref, by)
        : await histories.cancel(ref, by, request.query.unstarted === 'true')
      if (outcome === 'cancelled') await quota.giveBack(ref)
      await audit.write({
        action: isRecall ? 'message.recalled' : 'message.cancelled',
        ...aboutMessage(request.principal, ref),
        before,
        after: outcome,
      })
      return { key: historyKeyOf(ref), outcome }
    },
  )
}

function addRelease(app: App, { histories, audit }: RouteDeps): void {
  app.post(
    '/histories/:key/release',
    {
      config: { problems: ['409 already-started', '409 cancelled'], idempotency: 'message' },
      schema: {
        tags,
        operationId: 'releaseMessage',
        summary: 'Let a message go out that waits for an operator, because its sender may not send it any more',
        description: 'Before it is due: it will not wait. What is to go out to nobody is cancelled instead.',
        params: keyParams,
        response: answers({ 200: historyView }),
      },
    },
    async (request) => {
      const ref = historyOf(request, 'manage')
      const { heldSince } = await readHistory(histories, ref)
      await histories.release(ref, request.principal.owner)
      const before = heldSince && `held since ${heldSince}`
      await audit.write({ action: 'message.released', ...aboutMessage(request.principal, ref), before })
      return readHistory(histories, ref)
    },
  )
}

function addTracker(app: App, { tracker, openCalls, stopping }: RouteDeps): void {
  app.post(
    '/histories/:key/tracker',
    {
      config: { problems: ['429 too-many-open'], idempotency: 'reads' },
      schema: {
        tags,
        operationId: 'trackHistory',
        summary: 'Wait until it has settled, or until the timeout, and say what is known',
        description:
          'Settled means that every courier is done. `until: delivered` also waits for the confirmations of those who are handed over. Whoever may not see the message any more is refused while they wait.',
        params: keyParams,
        body: trackerBody,
        response: answers({ 200: trackerReport }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'read')
      const { until, timeout } = request.body
      openCalls.enter(request.principal, reply)
      const refused = refusedSignal(request, reply)
      const signal = AbortSignal.any([closedSignal(reply), stopping, refused])
      const report = await tracker.track(ref, { until, timeoutMs: timeout * 1000 }, signal)
      refused.throwIfAborted()
      return report
    },
  )
}

function addRecount(app: App, { histories }: RouteDeps): void {
  app.get(
    '/histories/:key/recount',
    {
      config: { reads: 'history' },
      schema: {
        tags,
        operationId: 'recountHistory',
        summary: 'The counters beside a count of the receipts they must agree with',
        description:
          'Counts the receipts of a message one by one, and says whether the counters of the same moment agree with them. They always should.',
        params: keyParams,
        response: answers({ 200: recountReport }),
      },
    },
    async (request) => {
      const { ref } = await snapshotOf(request, histories)
      const channels = await histories.recount(ref)
      await requireKept(histories, ref)
      return { balanced: channels.every(({ balanced }) => balanced), channels }
    },
  )
}
