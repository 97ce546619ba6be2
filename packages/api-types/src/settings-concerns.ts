/** Whom and what a change of the settings concerns that is there already: codes and numbers, for which `concernWords()` has the words. */
import { z } from 'zod'
import { moment, roleId, smallCount } from './fields.ts'
import { ruleCauses } from './waves.ts'

const atLeast = z.boolean().describe('there are more: not all of them were looked at')

export const settingsConcern = z.discriminatedUnion('code', [
  z
    .strictObject({
      code: z.literal('held').describe('people wait'),
      people: smallCount.describe('so many wait because of a rule, counted on each channel'),
      causes: z
        .partialRecord(z.enum(ruleCauses), smallCount)
        .describe('so many of them for each rule')
        .meta({ examples: [{ quiet: 12 }] }),
      first: moment.describe('the first of them until then'),
      atLeast,
    })
    .describe('whoever waits is decided about anew within seconds, and may be written to sooner or later than that'),
  z
    .strictObject({
      code: z.literal('scheduled').describe('messages are scheduled'),
      messages: smallCount.describe('so many have not started'),
      people: smallCount.describe('so many their audiences have together'),
      first: moment.describe('the first of them is due then'),
      atLeast,
    })
    .describe('the rules that hold when they start say who gets them when'),
  z
    .strictObject({
      code: z.literal('forgotten').describe('messages are removed sooner'),
      days: smallCount.describe('messages that have been over for longer are removed, with their receipts'),
    })
    .describe('what is kept for a shorter time from now on'),
  z
    .strictObject({
      code: z.literal('role').describe('somebody has the role'),
      role: roleId,
      people: smallCount.describe('so many people'),
      keys: smallCount.describe('so many API keys'),
      messages: smallCount.describe('so many messages of theirs have not started'),
      held: z.boolean().describe('they may write to fewer people then: these messages are held when they fall due'),
      atLeast,
    })
    .describe('who has a role that is changed'),
])
export type SettingsConcern = z.infer<typeof settingsConcern>

export const settingsConcerns = z
  .array(settingsConcern)
  .describe('whom and what it concerns that is there already; of a change of types alone, of messages of these types')
  .meta({
    examples: [
      [{ code: 'held', people: 12, causes: { quiet: 12 }, first: '2026-09-02T05:00:00.000Z', atLeast: false }],
    ],
  })
