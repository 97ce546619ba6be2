/** Shapes of the HTTP API around events: times of a sender's own, on which messages hang. */
import { z } from 'zod'
import { historyKeyText, moment } from './fields.ts'
import { instant, refuseHidden } from './given-fields.ts'
import { historyStates } from './history-view.ts'

const eventId = z
  .string()
  .meta({ examples: ['exam-5'] })
  .describe('of the event, as its sender calls it')
const eventName = z.string().meta({ examples: ['Exam in mathematics'] })

export const eventBody = z.strictObject({
  at: instant
    .meta({ examples: ['2026-09-01T09:00:00+03:00'] })
    .describe('when it is, or was; a year ahead or ago at most'),
  name: eventName
    .trim()
    .regex(/^\P{Cc}{1,100}$/u, 'one line of at most 100 characters')
    .superRefine(refuseHidden)
    .optional()
    .describe('what it is called; nothing when absent'),
  late: z
    .enum(['refuse', 'send'])
    .default('refuse')
    .describe('where a reminder would have been due by now at the new time: move nothing, or send that one at once'),
})
export type EventInput = z.input<typeof eventBody>

/** What a move or a cancellation has done with a message that hangs on the event. */
export const reminderOutcomes = [
  'moved',
  'unchanged',
  'sent-now',
  'cancelled',
  'stopping',
  'already-started',
  'already-over',
] as const
export type ReminderOutcome = (typeof reminderOutcomes)[number]

export const reminderView = z.strictObject({
  key: historyKeyText,
  offset: z
    .int()
    .meta({ examples: [-3600] })
    .describe('seconds after the event, negative before'),
  at: moment.describe('when it is due, or was'),
  state: z.enum(historyStates).describe('of its history'),
  became: z
    .enum(reminderOutcomes)
    .optional()
    .describe(
      'what this call has done with it: `moved`; `sent-now`, for its new time has passed; `cancelled`, and nobody gets it; `stopping` after the batch in flight; nothing, for it has `already-started`, is `already-over`, or is `unchanged`, due when it was. Absent where the call changes nothing',
    ),
})
export type ReminderView = z.infer<typeof reminderView>

const eventFields = {
  id: eventId,
  at: moment.describe('when it is'),
  name: eventName.optional().describe('what it is called'),
  cancelledAt: moment.optional().describe('since when it is cancelled: nothing can be hung on it until it is put anew'),
}

export const eventView = z
  .strictObject({
    ...eventFields,
    reminders: z.array(reminderView).describe('the messages that hang on it, the earliest first'),
  })
  .describe('an event, and the messages that hang on it')
export type EventView = z.infer<typeof eventView>

export const eventsPage = z
  .strictObject({
    events: z.array(z.strictObject(eventFields)).describe('by id'),
    next: eventId.optional().describe('`after` of the next page; absent at the end'),
  })
  .describe('events of one sender')
export type EventsPage = z.infer<typeof eventsPage>
