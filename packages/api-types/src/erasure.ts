/** All that is known of one person, and its erasure. */
import { z } from 'zod'
import { auditLine } from './audit.ts'
import { diaryView } from './diary.ts'
import { personDetails } from './directory.ts'
import { erasureReasons } from './erasure-reasons.ts'
import { channelId, historyKeyText, moment, personId, words } from './fields.ts'
import { personReceipts } from './person-receipts.ts'
import { sessionList } from './sessions.ts'
import { subscriptionView } from './subscriptions.ts'
import { wishesView } from './wishes.ts'

const ofPerson = z
  .strictObject({
    person: personDetails,
    wishes: wishesView
      .pick({ off: true, quiet: true })
      .describe('what they have switched off, and their own quiet hours'),
    stops: z
      .array(z.strictObject({ channel: channelId, since: moment.describe('when they have said so') }))
      .describe('channels they have stopped and have no contact on any more; on the others the contact says so'),
    diary: diaryView.shape.entries,
    sessions: z.array(sessionList.shape.sessions.element.omit({ current: true })).describe('where they are signed in'),
    subscriptions: z.array(subscriptionView).describe('what they have had their systems told of'),
    sent: z
      .array(
        z.strictObject({
          key: historyKeyText,
          acceptedAt: moment.describe('when it was accepted'),
          text: words.describe('as they wrote it; empty of one that was cancelled before it started'),
        }),
      )
      .describe('messages they have sent, the latest first'),
    audit: z.array(auditLine).describe('what they did, and what was done about them, newest first'),
  })
  .describe('what is known of a person but the messages for them')

export const personData = z
  .strictObject({
    ...ofPerson.partial().shape,
    messages: personReceipts.shape.messages,
    next: personReceipts.shape.next,
  })
  .describe('what is known of a person; the first page has all of it but messages')
export type PersonData = z.infer<typeof personData>

const reason = z
  .enum(erasureReasons)
  .describe('they have asked for it; they have left; they were entered by mistake. No more is kept of why')

export const erasureBody = z
  .strictObject({ reason })
  .describe('why somebody is erased')
  .meta({ examples: [{ reason: 'own-request' }] })
export type ErasureInput = z.input<typeof erasureBody>

export const erasureView = z
  .strictObject({
    person: personId,
    reason,
    by: personId.describe('who has asked for it'),
    since: moment.describe('when'),
  })
  .describe('the erasure of a person that is under way')
export type ErasureView = z.infer<typeof erasureView>

export const erasureList = z
  .strictObject({ erasures: z.array(erasureView).describe('the oldest first; one that is done is not in it any more') })
  .describe('the erasures that are under way')
export type ErasureList = z.infer<typeof erasureList>
