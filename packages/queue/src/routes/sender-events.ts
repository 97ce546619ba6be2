/** Events of senders, on which messages hang: they are moved and cancelled with it. */
import {
  type EventView,
  eventBody,
  eventsPage,
  eventView,
  historyKeyOf,
  id,
  Problem,
  type ReminderView,
} from '@courier-fleet/api-types'
import type { EventRef, Reminder, ReminderOutcomes, StoredEvent } from '@courier-fleet/store'
import { z } from 'zod'
import { timeOfEvent } from '../acceptance/times.ts'
import { byCaller } from '../access/audit.ts'
import { requireRole } from '../access/auth.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { eventParams, limitParam } from './parameters.ts'

const tags = ['events']
/** of an event without its reminders */
const bytesOfEvent = 300

const whose = z.strictObject({
  sender: id
    .optional()
    .meta({ examples: ['trainer-7'] })
    .describe('whose: your own when absent; of others, for operators'),
})
const listQuery = whose.extend({
  after: z
    .string()
    .max(64)
    .default('')
    .meta({ examples: ['exam-5'] })
    .describe('`next` of the page before'),
  limit: limitParam(1000, 100),
})

interface EventRequest {
  readonly principal: Caller
  readonly params: { readonly id: string }
  readonly query: { readonly sender?: string | undefined }
}

export function senderEventRoutes(app: App, deps: RouteDeps): void {
  addList(app, deps)
  addRead(app, deps)
  addPut(app, deps)
  addCancel(app, deps)
}

function senderOf({
  principal,
  query: { sender = principal.owner },
}: Pick<EventRequest, 'principal' | 'query'>): string {
  if (sender !== principal.owner) requireRole(principal, 'operator')
  return sender
}

const iso = (ms: number) => new Date(ms).toISOString()

const summaryOf = ({ ref, atMs, name, cancelledMs }: StoredEvent) => ({
  id: ref.id,
  at: iso(atMs),
  ...(name === undefined ? {} : { name }),
  ...(cancelledMs === undefined ? {} : { cancelledAt: iso(cancelledMs) }),
})

function reminderViewOf({ ref, offset, dueMs, state }: Reminder, outcomes?: ReminderOutcomes): ReminderView {
  const became = outcomes?.get(ref.id)
  return { key: historyKeyOf(ref), offset, at: iso(dueMs), state, ...(became ? { became } : {}) }
}

/** @throws Problem 404 `unknown-event` */
async function viewOf({ events }: RouteDeps, ref: EventRef, outcomes?: ReminderOutcomes): Promise<EventView> {
  const [event, reminders] = await Promise.all([events.find(ref), events.reminders(ref)])
  if (!event) throw new Problem(404, 'unknown-event', `there is no event "${ref.id}"`)
  return { ...summaryOf(event), reminders: reminders.map((reminder) => reminderViewOf(reminder, outcomes)) }
}

function addList(app: App, { events }: RouteDeps): void {
  app.get(
    '/events',
    {
      schema: {
        tags,
        operationId: 'listEvents',
        summary: 'Your own events; of others, for operators',
        description:
          'By id, those too that were cancelled in the latest five weeks; without the messages that hang on them.',
        querystring: listQuery,
        response: answers({ 200: eventsPage }),
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const { events: found, next } = await events.list(senderOf(request), after, limit)
      return { events: found.map(summaryOf), ...(next === undefined ? {} : { next }) }
    },
  )
}

function addRead(app: App, deps: RouteDeps): void {
  app.get(
    '/events/:id',
    {
      config: { problems: ['404 unknown-event'] },
      schema: {
        tags,
        operationId: 'readEvent',
        summary: 'An event, and the messages that hang on it',
        description: 'When each is due, and how far it is.',
        params: eventParams,
        querystring: whose,
        response: answers({ 200: eventView }),
      },
    },
    async (request) => viewOf(deps, await deps.events.refOf(senderOf(request), request.params.id)),
  )
}

function addPut(app: App, deps: RouteDeps): void {
  const { events, moveEvents, allowances, audit, clock } = deps
  app.put(
    '/events/:id',
    {
      config: {
        problems: [
          '409 files-end-first',
          '409 late-reminders',
          '422 nobody-in-time',
          '422 past-at',
          '422 too-far',
          '422 expires-before-at',
          '409 event-moved',
          '503 try-again',
        ],
      },
      schema: {
        tags,
        operationId: 'putEvent',
        summary: 'Make an event, or move it with every message that hangs on it',
        description:
          'All of them or none, in one step; what has started is left alone, and each says what has become of it. Where one would have been due by now nothing is moved (409 `late-reminders`), unless `late` says to send it at once. Put after it was cancelled, it is an event again; what was cancelled with it stays so.',
        params: eventParams,
        querystring: whose,
        body: eventBody,
        response: answers({ 200: eventView, 201: eventView }),
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const ref = await events.refOf(senderOf(request), request.params.id)
      const atMs = timeOfEvent(body.at, clock.now())
      await allowances.store(principal, 0, bytesOfEvent)
      const before = await events.find(ref)
      const { outcome, reminders } = await moveEvents.put(ref, { atMs, name: body.name, late: body.late })
      await audit.write({
        action: 'event.put',
        ...byCaller(principal),
        person: ref.sender,
        detail: wordsOf(ref, reminders),
        before: before && iso(before.atMs),
        after: iso(atMs),
      })
      reply.code(outcome === 'created' ? 201 : 200)
      return viewOf(deps, ref, reminders)
    },
  )
}

function addCancel(app: App, deps: RouteDeps): void {
  const { events, quota, audit } = deps
  app.delete(
    '/events/:id',
    {
      config: { problems: ['404 unknown-event'] },
      schema: {
        tags,
        operationId: 'cancelEvent',
        summary: 'Cancel an event, and every message that hangs on it',
        description:
          'In one step: what has not started nobody gets, what runs stops after the batches in flight, and each says so. The same again answers the same.',
        params: eventParams,
        querystring: whose,
        response: answers({ 200: eventView }),
      },
    },
    async (request) => {
      const { principal } = request
      const ref = await events.refOf(senderOf(request), request.params.id)
      const reminders = await events.cancel(ref, principal.owner)
      const cancelled = [...reminders].filter(([, became]) => became === 'cancelled')
      await Promise.all(cancelled.map(([history]) => quota.giveBack({ ...ref, id: history })))
      await audit.write({
        action: 'event.cancelled',
        ...byCaller(principal),
        person: ref.sender,
        detail: wordsOf(ref, reminders),
      })
      return viewOf(deps, ref, reminders)
    },
  )
}

/** Such as `exam-5: 2 moved, 1 already-over`. */
function wordsOf({ id }: EventRef, reminders: ReminderOutcomes): string {
  const counts = new Map<string, number>()
  for (const became of reminders.values()) counts.set(became, (counts.get(became) ?? 0) + 1)
  const told = [...counts].map(([became, count]) => `${count} ${became}`)
  return told.length === 0 ? id : `${id}: ${told.join(', ')}`
}
