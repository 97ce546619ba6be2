/** Shapes of the HTTP API around lists of people: what loading one does, and what taking it back does. */
import { z } from 'zod'
import { groupName } from './directory.ts'
import { count, groupId, moment, personId, personName, smallCount } from './fields.ts'

export const importId = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .describe('of a list that was loaded and has changed something: by it the import can be taken back for a week')
  .meta({ examples: ['5b0c7e12a94f38d6'] })

const namedGroups = z
  .array(
    z.strictObject({
      kind: z.enum(['group', 'cohort']).describe('which of the two it is'),
      id: groupId,
      name: groupName,
    }),
  )
  .readonly()

export const importReport = z
  .strictObject({
    created: count.describe('people who are new'),
    updated: count.describe('people of whom something is another than before'),
    unchanged: count.describe('people who were there like this'),
    rejected: count.describe('lines that were not taken'),
    removed: count.describe('people who were not in the list, where they go for that'),
    columns: z
      .array(z.string())
      .readonly()
      .describe('of the header, as they are written')
      .meta({ examples: [['id', 'name', 'role', 'groups']] }),
    groups: namedGroups.describe('groups and cohorts that are new'),
    leavers: z
      .array(z.strictObject({ id: personId, name: personName }))
      .readonly()
      .describe('those who were not in the list, where they go for that'),
    id: importId.optional(),
    version: z
      .string()
      .optional()
      .describe('of a dry run: stands for all that would be changed; `If-Match` names it to load exactly that')
      .meta({ examples: ['pY3nQ0vW9sT1aZ6mC4xB7kL2eR8uJ5hD0gF3iN6oVqE'] }),
    lines: z
      .array(
        z.strictObject({
          line: smallCount.describe('line of the roster, from 1'),
          status: z.enum(['created', 'updated', 'unchanged', 'rejected']).describe('what became of it'),
          person: personId.optional(),
          name: personName.optional(),
          field: z
            .string()
            .optional()
            .describe('the column that is wrong')
            .meta({ examples: ['sms'] }),
          code: z
            .string()
            .optional()
            .describe('why, as the code of a problem; `message` says more')
            .meta({ examples: ['bad-address'] }),
          message: z
            .string()
            .optional()
            .describe('what is wrong with it')
            .meta({ examples: ['"12" is no phone number'] }),
          cells: z
            .array(z.string())
            .readonly()
            .optional()
            .describe('of a line that was not taken: as they are written')
            .meta({ examples: [['s-1', 'Кулешова Виктория', 'king', 'ИВТ-101']] }),
          mistakes: z
            .array(
              z.strictObject({
                column: smallCount
                  .optional()
                  .describe('the how manieth cell, from 1; absent when it is of the whole line'),
                field: z
                  .string()
                  .optional()
                  .describe('the column that is wrong')
                  .meta({ examples: ['role'] }),
                code: z
                  .string()
                  .describe('why, as the code of a problem')
                  .meta({ examples: ['bad-field'] }),
                message: z
                  .string()
                  .describe('what is wrong with it, and what would be right')
                  .meta({ examples: ['"king" is not a role: student, trainer, staff, operator, admin, dean'] }),
                meets: z
                  .strictObject({ id: personId, name: personName })
                  .optional()
                  .describe('whose the id is that was made of what is written'),
              }),
            )
            .readonly()
            .optional()
            .describe('likewise: all that is wrong with it'),
        }),
      )
      .readonly()
      .describe('those that were rejected; with `lines=all` every line'),
  })
  .describe('what an import did')
export type ImportReportView = z.infer<typeof importReport>

export const importList = z
  .strictObject({
    imports: z
      .array(
        z.strictObject({
          id: importId,
          at: moment.describe('when it was begun'),
          until: moment.describe('until when it can be taken back'),
          whole: z.boolean().describe('false: it was cut off, or is under way, and the counts are 0'),
          created: count.describe('people who were new'),
          updated: count.describe('people of whom something was another than before'),
          removed: count.describe('people who were not in the list, and went for that'),
          left: count.describe('people of whom something can be taken back still'),
          takenBackAt: moment.optional().describe('when it was taken back last; absent: never'),
        }),
      )
      .readonly()
      .describe('the newest first'),
  })
  .describe('lists that were loaded in the last week and have changed something')
export type ImportList = z.infer<typeof importList>

/** Why somebody is left as they are when an import is taken back. */
export const takeBackRefusals = [
  'changed',
  'contact',
  'address-taken',
  'group',
  'group-gone',
  'erased',
  'self',
] as const

export const takeBackReport = z
  .strictObject({
    id: importId,
    removed: count.describe('people who were new, and go'),
    restored: count.describe('people of whom something was changed, and is as before'),
    returned: count.describe('people who were removed, and are there again'),
    refused: count.describe('people who are left as they are: somebody has changed them since'),
    people: z
      .array(
        z.strictObject({
          id: personId,
          name: personName,
          what: z.enum(['removed', 'restored', 'returned']).describe('what becomes of them'),
          why: z
            .enum(takeBackRefusals)
            .optional()
            .describe(
              'nothing becomes of them, for since the import: their record is another (`changed`), they have another contact, wishes or said STOP (`contact`), ' +
                'somebody else has an address that was theirs (`address-taken`), they are in another group or topic (`group`), a group or topic they were in is gone (`group-gone`), they are being erased (`erased`); or it is whoever asks (`self`)',
            ),
          isUsed: z
            .literal(true)
            .optional()
            .describe('of somebody who goes: a message names them, so that nobody gets their id again'),
        }),
      )
      .readonly()
      .describe('all of them, by id'),
    groups: namedGroups.describe('groups and cohorts that the import has made, and that go'),
    staying: namedGroups.describe(
      'those that it has made and that stay: somebody else is in them, owns them or has named them anew',
    ),
    version: z
      .string()
      .optional()
      .describe('of a dry run: stands for all that would be done; `If-Match` names it to do exactly that')
      .meta({ examples: ['pY3nQ0vW9sT1aZ6mC4xB7kL2eR8uJ5hD0gF3iN6oVqE'] }),
  })
  .describe('what taking an import back does')
export type TakeBackReportView = z.infer<typeof takeBackReport>
