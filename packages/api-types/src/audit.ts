/** Who did what, to whom, when. */
import { z } from 'zod'
import { channelId, historyKeyText, moment, personId } from './fields.ts'

const auditActions = [
  'message.sent',
  'message.rescheduled',
  'message.cancelled',
  'message.released',
  'message.waiting-cancelled',
  'message.waiting-sent',
  'file.uploaded',
  'event.put',
  'event.cancelled',
  'contact.linked',
  'contact.taken',
  'contact.unlinked',
  'webhook-secret.rotated',
  'endpoint.enabled',
  'endpoint.disabled',
  'contact.reachable',
  'contact.blocked',
  'consent.given',
  'consent.withdrawn',
  'wishes.changed',
  'application.accepted',
  'application.refused',
  'application.link-made',
  'enrolment.issued',
  'inbound-address.changed',
  'person.created',
  'person.role',
  'person.changed',
  'person.removed',
  'people.imported',
  'import.taken-back',
  'group.changed',
  'group.removed',
  'members.added',
  'members.removed',
  'cohort.changed',
  'cohort.removed',
  'topic.changed',
  'topic.removed',
  'topic.joined',
  'topic.left',
  'api-key.created',
  'api-key.revoked',
  'channel.retired',
  'fleet.rebuilt',
  'shards.grown',
  'channel.paused',
  'channel.resumed',
  'session.opened',
  'session.refused',
  'session.closed',
  'receipts.resolved',
  'receipts.sent-again',
  'receipts.retried',
  'message.corrected',
  'message.recalled',
  'person.told-by-voice',
  'person.told-taken-back',
  'person.looked-up',
  'people.looked-up',
  'person.data-read',
  'person.erasure-asked',
  'person.erased',
  'settings.changed',
  'template.changed',
  'template.archived',
  'subscription.created',
  'subscription.removed',
  'subscription.rotated',
  'subscription.replayed',
  'subscription.disabled',
] as const

export const auditLine = z
  .strictObject({
    id: z
      .string()
      .describe('its place among all lines')
      .meta({ examples: ['1788242400000-0'] }),
    at: moment.describe('when'),
    action: z.enum(auditActions).describe('what was done'),
    by: personId.describe('who did it; an inbound process is named by the owner of its key'),
    via: z
      .string()
      .describe('api, web, or the channel of the inbound process')
      .meta({ examples: ['web'] }),
    person: personId.optional().describe('to whom; of a message, its sender'),
    history: historyKeyText.optional().describe('key of the message'),
    channel: channelId.optional(),
    detail: z
      .string()
      .optional()
      .describe('what more there is to say')
      .meta({ examples: ['group:ekn-101'] }),
    before: z
      .string()
      .optional()
      .describe('what it was')
      .meta({ examples: ['student'] }),
    after: z
      .string()
      .optional()
      .describe('what it is since')
      .meta({ examples: ['trainer'] }),
  })
  .describe('who did what, to whom, when')
export type AuditLine = z.infer<typeof auditLine>
export const auditPage = z
  .strictObject({
    lines: z.array(auditLine).describe('newest first'),
    next: z
      .string()
      .optional()
      .describe('`before` of the next page; absent at the end')
      .meta({ examples: ['1788242400000-0'] }),
  })
  .describe('a page of the audit')
export type AuditPage = z.infer<typeof auditPage>
