/** What is told of a message, and what a tracker answers. */
import { z } from 'zod'
import { ceilingView } from './ceiling.ts'
import { confirm, confirmedCounts } from './confirm.ts'
import { channelId, count, historyKeyText, moment, personId, personName, sha256Text, typeId, words } from './fields.ts'
import { messageFileView } from './files.ts'
import { sources } from './given-fields.ts'
import { classes } from './history-key.ts'
import { messageData, whoseOnline } from './message-body.ts'
import { level, quietRespects } from './message-rules.ts'
import { languageKey, messageFieldValues } from './message-text.ts'
import { whyNotDelivered, whyUnknown } from './people-classes.ts'
import { plan } from './plan.ts'
import { receiptStates } from './receipt-state.ts'
import { recheckView } from './recheck.ts'
import { stepView } from './steps.ts'
import { waveCauses } from './waves.ts'

/** One channel's line of the ledger; the states sum up to `accepted`, always. */
export const channelLedger = z
  .strictObject({
    state: z
      .enum(['waiting', 'running', 'settled'])
      .describe('waiting: none of its couriers has begun; settled: this channel is done with everyone'),
    accepted: count.describe('people of the audience'),
    ...(Object.fromEntries(
      receiptStates.map((state) => [state, count.describe(`people whose receipt is ${state}`)]),
    ) as Record<(typeof receiptStates)[number], z.ZodInt>),
  })
  .describe('how far the message is on one channel: how many receipts are in which state')
export type ChannelLedger = z.infer<typeof channelLedger>

/**
 * What a message amounts to, of those with a contact: `everyone` has it for certain; `handed-over`: it was sent or taken for
 * everyone, and is not confirmed for all; `some`: for some of them; `unknown`: nobody is known to have it, and of some it is
 * not known; `nothing`: nobody has it; `nobody` has a contact.
 */
export const endings = ['everyone', 'handed-over', 'some', 'unknown', 'nothing', 'nobody'] as const
export type Ending = (typeof endings)[number]

export const decisions = ['told-delivered', 'told-failed', 'sent-again'] as const

export const historyStates = ['issued', 'scheduled', 'running', 'settled', 'cancelled'] as const
export type HistoryState = (typeof historyStates)[number]

/** As lists part messages: `held` is scheduled, was due, and waits for an operator. */
export const listStates = ['scheduled', 'held', 'running', 'settled', 'cancelled'] as const
export type ListState = (typeof listStates)[number]

/** Everyone of the audience, each in exactly one class: the first that fits one of their receipts. */
export const peopleCounts = z
  .strictObject({
    delivered: count.describe('known to have it: a receipt is delivered, read or confirmed'),
    sentToChat: count.describe(
      'sent to their chat, or taken by the system behind their URL, which is all that channel can ever say (Telegram, VK, HTTP)',
    ),
    handedOver: count.describe('taken by a provider that has not confirmed it yet: it may arrive or fail (SMS, mail)'),
    pending: count.describe('still to be sent on some channel'),
    toldByVoice: count.describe(
      'the sender or an operator has told them by voice; no channel is known to have reached them',
    ),
    unknown: count.describe('not known whether it was sent, and sent on no other channel'),
    notDelivered: count.describe('every try ended without it'),
    withoutContact: count.describe('no contact on any of its channels'),
    why: z
      .partialRecord(z.enum(whyNotDelivered), count)
      .describe('why not, one reason for each of `notDelivered`: that of the try that came nearest to them'),
    whyUnknown: z.partialRecord(z.enum(whyUnknown), count).describe('why that is, one reason for each of `unknown`'),
  })
  .describe('everyone of the audience, over all channels, each counted once')
export type PeopleCounts = z.infer<typeof peopleCounts>

/** What makes a text another for each, as a history shows it: of the newest text, and of each older one. */
const manyTexts = {
  language: languageKey
    .optional()
    .describe('of that text, where there are others; absent where everybody has the same')
    .meta({ examples: ['ru'] }),
  texts: z
    .record(languageKey, words)
    .optional()
    .describe('for people of other languages, by language')
    .meta({ examples: [{ en: 'Fire drill at noon' }] }),
  fields: messageFieldValues.optional().describe('values of this message for the fields of its text'),
  ownValues: count.optional().describe('so many of its people have values of their own in it (`recipients`)'),
  template: z
    .strictObject({
      id: z
        .string()
        .describe('its id')
        .meta({ examples: ['exam-room'] }),
      version: z
        .int()
        .describe('which of its versions')
        .meta({ examples: [3] }),
    })
    .optional()
    .describe('whose text it is'),
}

/** Of one correction, on one channel: everyone who had an older text is in one of them. */
const correctedCounts = z.strictObject({
  edited: count.describe('the message they had was edited'),
  followedUp: count.describe('they were sent a message of its own that says what it corrects'),
  pending: count.describe('still to be corrected'),
  unknown: count.describe('nobody knows whether the message of its own was sent'),
  uncorrected: count.describe('they still have the older text, or may have it'),
  alsoTold: count
    .optional()
    .describe('of `edited`: they were sent a message of its own besides; absent unless that was wanted'),
  toBeTold: count.optional().describe('of `edited`: they are still to be sent one'),
})

/** Of a recall, on one channel: everyone who had the message, or may have had it, is in one of them. */
const recalledCounts = z.strictObject({
  deleted: count.describe('the message they had is deleted, at theirs'),
  replaced: count.describe('it could not be deleted any more, and says now that it was withdrawn'),
  pending: count.describe('still to be withdrawn'),
  remaining: count.describe('they still have it, or may have it: the channel cannot take it back, or not any more'),
})

export const historyView = z
  .strictObject({
    key: historyKeyText,
    state: z
      .enum(historyStates)
      .describe(
        'issued: a key without a message; scheduled: not due yet; running: couriers are at it; settled: all are done',
      ),
    sender: personId.describe('who sent it'),
    senderName: personName.optional().describe('in lists of others’ messages: what the directory calls the sender'),
    source: z.enum(sources).optional().describe('where it came from'),
    text: words
      .optional()
      .describe('what people are written; of a text that is not the same for everybody as its sender wrote it'),
    ...manyTexts,
    subject: words.optional().describe('for channels that have one'),
    files: z
      .array(messageFileView)
      .optional()
      .describe('files that went with it, which may not be there any more; absent where there are none'),
    senderLine: words
      .optional()
      .describe('who writes, and to which groups, as recipients read it above the text; a channel may show less of it')
      .meta({ examples: ['Гусева А. П. · ИВТ-101'] }),
    about: z
      .string()
      .optional()
      .describe('what the reminder is about')
      .meta({ examples: ['coupon:17'] }),
    event: z
      .strictObject({
        id: z
          .string()
          .describe('as its sender calls it')
          .meta({ examples: ['exam-5'] }),
        offset: z
          .int()
          .describe('seconds after it, negative before')
          .meta({ examples: [-3600] }),
      })
      .optional()
      .describe('the event it hangs on, which moves it and cancels it'),
    to: z
      .array(z.string())
      .optional()
      .describe('whom it was addressed to')
      .meta({ examples: [['role:trainer']] }),
    class: z.enum(classes).optional().describe('who goes first'),
    type: z
      .strictObject({
        id: typeId,
        name: z
          .strictObject({
            ru: z
              .string()
              .describe('in Russian')
              .meta({ examples: ['Новости'] }),
            en: z
              .string()
              .describe('in English')
              .meta({ examples: ['News'] }),
          })
          .optional()
          .describe('absent where the type was removed'),
      })
      .optional()
      .describe('what it is about'),
    level: level.optional().describe('as the message said; absent where that is what its type says'),
    quiet: z.enum(quietRespects).optional().describe('likewise'),
    duplicates: z.literal('allow').optional().describe('likewise'),
    whenOnline: whoseOnline
      .optional()
      .describe('it waits until its people are online, or the person who is named; absent where it does not'),
    recheck: recheckView.optional(),
    confirm: confirm.optional().describe('its people are asked to confirm it; absent where they are not'),
    confirmed: confirmedCounts.optional(),
    deadline: z
      .strictObject({
        within: z
          .string()
          .describe('so long after it was due, as its type said when it was accepted')
          .meta({ examples: ['PT30M'] }),
        inTime: count.describe('people who were told of it by then: a provider has taken it for them on some channel'),
        late: count.describe('people who were told of it later'),
      })
      .optional()
      .describe('whom it was to reach by when, and whom it did; absent where its type had no deadline'),
    data: messageData.optional().describe('what the channel http has in its body beside the text'),
    audience: z
      .strictObject({ size: count.describe('so many people'), sha256: sha256Text })
      .optional()
      .describe('the people it is for, fixed when it was accepted'),
    at: moment.optional().describe('due time'),
    expires: moment.optional().describe('after this it is not sent any more'),
    acceptedAt: moment.optional().describe('when it was accepted'),
    heldSince: moment
      .optional()
      .describe(
        'since when it waits for an operator: its sender was removed, or may send less than when it was accepted',
      ),
    startedAt: moment.optional().describe('when it was handed to its channels'),
    settledAt: moment.optional().describe('when the last of its channels was done'),
    cancelledAt: moment.optional().describe('when it was cancelled or stopped'),
    cancelledBy: personId.optional().describe('who cancelled it'),
    expected: z
      .array(channelId)
      .describe('the channels it waits for: those the sender named, else those in use when it started'),
    channels: z.record(z.string(), channelLedger).describe('how far it is, by channel'),
    plan: plan
      .optional()
      .describe('who is sent it when, as the rules said when it was accepted or moved; absent where none holds for it'),
    steps: z
      .array(stepView)
      .optional()
      .describe('of a message that goes by some channels after others, first to last; absent of all others'),
    ceiling: ceilingView.optional(),
    waiting: z
      .array(
        z.strictObject({
          at: moment.describe('when they are looked at again'),
          people: count.describe('at most so many: whoever has been told since no longer waits'),
          channel: channelId,
          cause: z.enum(waveCauses).describe('why they wait'),
          words: z
            .string()
            .describe('the same in words')
            .meta({ examples: ['quiet hours: until 08:00 on their own clocks'] }),
        }),
      )
      .optional()
      .describe('who waits for a later wave; absent when nobody does'),
    decisions: z
      .array(
        z.strictObject({
          decision: z.enum(decisions).describe('what was decided'),
          channel: channelId,
          by: personId.describe('who decided it'),
          people: count.describe('of so many people'),
          at: moment.describe('for the last time'),
        }),
      )
      .optional()
      .describe('what people have decided of receipts that were unknown; absent while nobody has'),
    versions: z
      .array(
        z.strictObject({
          text: words.optional().describe('of this version; absent where its only recipient was erased'),
          ...manyTexts,
          at: moment.describe('when it was accepted'),
          by: personId.describe('whose text it is'),
          corrected: z
            .record(z.string(), correctedCounts)
            .optional()
            .describe('of a correction, by channel: what became of those who had, or may have had, an older text'),
          confirmed: count
            .optional()
            .describe('people who have confirmed this text; absent where the message does not ask for it'),
        }),
      )
      .optional()
      .describe('the texts of a message that was corrected, the first one first; absent of all others'),
    recalled: z
      .strictObject({
        at: moment.describe('when that was accepted: from then on nobody is sent it'),
        channels: z
          .record(z.string(), recalledCounts)
          .describe('by channel: what became of the message with those who had it, or may have had it'),
      })
      .optional()
      .describe('of a message that was withdrawn from those who had it; absent of all others'),
    people: peopleCounts
      .optional()
      .describe('everyone of the audience, over all channels, from the start on; their sum is its size'),
  })
  .describe('a message and what has become of it so far')
export type HistoryView = z.infer<typeof historyView>
/** What a tracker answers: everything settled, or what is known at the timeout, the silent channels named. */
export const trackerReport = z
  .strictObject({
    settled: z
      .boolean()
      .describe('every courier is done with it; `people.handedOver` may still be confirmed or fail after that'),
    silent: z.array(channelId).describe('expected channels that have not settled'),
    ending: z.enum(endings).describe('what it amounts to, of those with a contact'),
    sentence: z
      .string()
      .describe('the ending in words')
      .meta({ examples: ['Everyone has it: 40 of 40.'] }),
    history: historyView,
  })
  .describe('a message that was waited for: whether it has settled, what it amounts to, and all that is known')
export type TrackerReport = z.infer<typeof trackerReport>
