/** An address that is asked right before a message is sent: only its `ok` lets the message go. */
import { z } from 'zod'
import { historyKeyText, moment, personId, smallCount, words } from './fields.ts'

export const recheckUnits = ['message', 'recipient'] as const
export const silenceRules = ['hold', 'send', 'drop'] as const

/** people of one question, where each is asked about */
export const recheckPageSize = 500

export const recheck = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2000)
      .describe(
        'an address of yours, asked by POST right before the message is sent: it answers 200 and `ok`, or `error`; trainers may name those hosts only that operators have listed',
      )
      .meta({ examples: ['https://timetable.example.org/still-on?lesson=17'] }),
    per: z
      .enum(recheckUnits)
      .default('message')
      .describe(
        '`message`: one answer is for everyone; `recipient`: it is asked about people, 500 at most in a question, and answers `{"ok": ["id", …]}`: whoever is not named there is not sent it',
      ),
    onSilence: z
      .enum(silenceRules)
      .default('hold')
      .describe(
        'what becomes of it while the address answers neither `ok` nor `error`: `hold`, it is asked again until the message expires; `send`; `drop`, nobody is sent it',
      ),
  })
  .describe('an address that is asked right before the message is sent: only its `ok` lets it go')
export type Recheck = z.infer<typeof recheck>

/** What the message said, and what has come of the questions so far. */
export const recheckView = recheck
  .extend({
    asked: smallCount.describe('questions that were put, or could not be'),
    ok: smallCount.describe('answers that let somebody go'),
    error: smallCount.describe('answers that let nobody go'),
    silent: smallCount.describe('questions without an answer that means either'),
    lastMs: z
      .int()
      .optional()
      .describe('how long the last one took; absent before the first question')
      .meta({ examples: [87] }),
    lastSilence: words
      .optional()
      .describe('why the last silent one was no answer; absent where there was none')
      .meta({ examples: ['it answered 503'] }),
  })
  .describe('the address that is asked before it is sent, and what came of the questions')
export type RecheckView = z.infer<typeof recheckView>

/** What the address is asked, signed as every webhook is. */
export const recheckQuestion = z
  .strictObject({
    id: z
      .string()
      .describe('of this question, also in the header webhook-id')
      .meta({ examples: ['recheck_V1StGXR8Z5jdHi6BmyT'] }),
    type: z.literal('recheck').describe('what kind of call it is'),
    created: moment.describe('when it is asked'),
    history: historyKeyText,
    due: moment.describe('when the message was due'),
    people: z
      .array(personId)
      .max(recheckPageSize)
      .optional()
      .describe('who is asked about, neighbours of its audience; absent where the answer is for everyone'),
  })
  .describe('whether a message is to be sent now; answered 200 and `ok`, `error`, or `{"ok": ["id", …]}`')
export type RecheckQuestion = z.infer<typeof recheckQuestion>
