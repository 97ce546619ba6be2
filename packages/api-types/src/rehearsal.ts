/** A message that is not sent: whom it would reach, and how. */
import { z } from 'zod'
import { channelId, count, personId, personName, sha256Text, smallCount, words } from './fields.ts'
import { messageFileView } from './files.ts'
import { channelName, dueTime, id } from './given-fields.ts'
import { checkTexts, messageBody } from './message-body.ts'
import { textInLanguages } from './message-text.ts'
import { plan } from './plan.ts'
import { maxTextLength } from './split-text.ts'
import { stepReach } from './steps.ts'

export const rehearsalBody = z
  .strictObject({
    to: messageBody.shape.to,
    channels: z.array(channelName).min(1).max(16).optional().describe('only these; all when absent'),
    steps: messageBody.shape.steps,
    text: textInLanguages(
      z
        .string()
        .max(maxTextLength)
        .meta({ examples: ['Fire drill at noon'] }),
    )
      .optional()
      .describe('what they would be written: its parts of SMS are counted'),
    template: messageBody.shape.template,
    language: messageBody.shape.language,
    fields: messageBody.shape.fields,
    recipients: messageBody.shape.recipients,
    files: messageBody.shape.files,
    preview: id
      .optional()
      .describe('one of the people: as they would read it; whoever reads the longest, when absent')
      .meta({ examples: ['s-ekn-101-01'] }),
    at: dueTime.default('now').describe('when it would be sent'),
    expires: messageBody.shape.expires,
    class: messageBody.shape.class,
    type: messageBody.shape.type,
    level: messageBody.shape.level,
    quiet: messageBody.shape.quiet,
    duplicates: messageBody.shape.duplicates,
    whenOnline: messageBody.shape.whenOnline,
    recheck: messageBody.shape.recheck,
    confirm: messageBody.shape.confirm,
    ceiling: messageBody.shape.ceiling,
  })
  .refine(({ steps, channels }) => steps === undefined || channels === undefined, {
    path: ['steps'],
    error: 'the steps say by which channels it goes: leave `channels` out',
  })
  .superRefine(checkTexts)
  .describe('a message that is not sent')
  .meta({ examples: [{ to: ['group:ekn-101', 'cohort:ekn'], text: 'Fire drill at noon' }] })
export type RehearsalBody = z.infer<typeof rehearsalBody>
export type RehearsalInput = z.input<typeof rehearsalBody>

export const unreachableReasons = [
  'no-contact',
  'opted-out',
  'no-consent',
  'type-off',
  'blocked',
  'deactivated',
  'invalid',
] as const

/** Whom a message would reach if it went out now. */
export const rehearsalView = z
  .strictObject({
    people: count.describe('each counted once'),
    overlap: smallCount.describe('how often somebody was named again'),
    leftOut: smallCount
      .optional()
      .describe(
        'people who are named and left out by unread, unconfirmed or unreached; absent where there is none of these',
      ),
    sha256: sha256Text.describe('of the audience, for `expect`'),
    channels: z
      .record(
        z.string(),
        z.strictObject({
          reachable: count.describe('people with a usable contact on it'),
          ...(Object.fromEntries(
            unreachableReasons.map((reason) => [
              reason,
              smallCount.describe(`people who cannot be written to there: ${reason}`),
            ]),
          ) as Record<(typeof unreachableReasons)[number], z.ZodInt>),
        }),
      )
      .describe('how many can be reached, by channel'),
    reachable: count.describe('people with a usable contact on at least one of these channels'),
    plan: plan
      .optional()
      .describe('who would be sent it when, as the rules say; absent of a message to URLs, for which none holds'),
    steps: z.array(stepReach).optional().describe('of a message in steps, first to last; absent of all others'),
    record: z
      .strictObject({
        of: smallCount.describe('messages of yours that have ended, of which a range was stated'),
        within: smallCount.describe('those of them that ended within it'),
      })
      .optional()
      .describe(
        'how the ranges of your last hundred messages have held; absent while none has ended of which one was stated',
      ),
    unreachable: z
      .array(
        z.strictObject({
          person: personId,
          name: personName.optional(),
          channels: z
            .record(z.string(), z.enum(unreachableReasons))
            .describe('why not, by channel')
            .meta({ examples: [{ sms: 'opted-out' }] }),
        }),
      )
      .describe('people without a usable contact on any of these channels; the first 1000 of them'),
    senderLines: z
      .record(z.string(), z.string())
      .describe('what recipients read above the text, by channel; a channel without a sender line is absent')
      .meta({ examples: [{ sms: 'Гусева А. П., ИВТ-101' }] }),
    files: z.array(messageFileView).optional().describe('files that would go with it; absent where there are none'),
    text: z
      .strictObject({
        length: smallCount.describe('characters as people count them'),
        tooLongOn: z.array(channelId).describe('channels that cannot take it: whoever has only those does not get it'),
        sms: z
          .strictObject({
            encoding: z
              .enum(['gsm', 'ucs2'])
              .describe('how its characters are written: ucs2 holds less than half as many'),
            parts: smallCount.describe('of one SMS, with the sender line'),
            total: count.describe('parts to be paid for: of one SMS, times those reachable by SMS'),
          })
          .describe('as SMS'),
        most: z
          .strictObject({
            length: z
              .strictObject({ person: personId, characters: smallCount.describe('as people count them') })
              .describe('whose text is the longest'),
            parts: z
              .strictObject({ person: personId, parts: smallCount.describe('of their SMS') })
              .optional()
              .describe('whose SMS has the most parts; absent where nobody is reached by SMS'),
          })
          .optional()
          .describe(
            'of a text that is not the same for everybody; `length` and `parts` above are those of these people',
          ),
        calls: z
          .record(channelId, count.describe('so many calls'))
          .optional()
          .describe(
            'of the same: how often a provider is called that takes one text for many people, by channel; absent where there is no such channel',
          )
          .meta({ examples: [{ vk: 9 }] }),
        preview: z
          .strictObject({
            person: personId,
            name: personName.optional(),
            text: words.describe('as they would read it'),
          })
          .optional()
          .describe(
            'for the person that `preview` names, absent where they are not among the people; else, of a text that is not the same for everybody, for whoever reads the longest',
          ),
      })
      .optional()
      .describe('present when a text was given'),
  })
  .describe('whom a message would reach if it went out now')
export type RehearsalView = z.infer<typeof rehearsalView>
