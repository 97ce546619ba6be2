/** Shapes of the HTTP API around people, groups, cohorts and contacts. */
import { z } from 'zod'
import {
  cohortId,
  groupId,
  languageTag,
  personId,
  personName,
  roleId,
  smallCount,
  topicId,
  unixMs,
  zoneName,
} from './fields.ts'
import { channelName, id, refuseHidden } from './given-fields.ts'
import { fieldValues } from './message-text.ts'
import { isTimeZone } from './time-zone.ts'

/** What people, groups and the like are called. */
export const shownName = z.string().trim().min(1).max(200).superRefine(refuseHidden)
const owners = z
  .array(id)
  .max(1000)
  .default([])
  .describe('ids of the people who may send to it')
  .meta({ examples: [['t-gus']] })
const ownerList = z
  .array(z.string())
  .readonly()
  .describe('ids of the people who may send to it')
  .meta({ examples: [['t-gus']] })
export const groupName = shownName.describe('what people call it').meta({ examples: ['ИВТ-101'] })

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

export const personBody = z
  .strictObject({
    name: shownName.describe('what the person is called').meta({ examples: ['Кулешова Виктория'] }),
    role: roleId.describe('whose rights the person has, and whose quota'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'an IANA time zone such as Europe/Moscow')
      .default('UTC')
      .describe('an IANA time zone such as Europe/Moscow')
      .meta({ examples: ['Europe/Moscow'] }),
    language: z
      .string()
      .refine(isLanguage, 'a BCP 47 language tag such as ru')
      .default('en')
      .describe('a BCP 47 language tag such as ru')
      .meta({ examples: ['ru'] }),
    fields: fieldValues
      .optional()
      .describe('what texts may say of the person, by the names of fields, at most 20; none when absent'),
  })
  .describe('a person')
  .meta({ examples: [{ name: 'Кулешова Виктория', role: 'student', timeZone: 'Europe/Moscow', language: 'ru' }] })
export type PersonInput = z.input<typeof personBody>

export const personView = z
  .strictObject({
    id: personId,
    name: personName,
    role: roleId.describe('whose rights the person has, and whose quota'),
    timeZone: zoneName,
    language: languageTag,
  })
  .describe('a person')
export type PersonView = z.infer<typeof personView>

export const contactStates = ['active', 'blocked', 'deactivated', 'invalid', 'opted-out'] as const
export type ContactState = (typeof contactStates)[number]

const oneContact = z.strictObject({
  address: z
    .string()
    .optional()
    .describe('shown to the person and to operators only')
    .meta({ examples: ['+79161234567'] }),
  state: z.enum(contactStates).describe('whether it can be written to'),
  reason: z
    .string()
    .optional()
    .describe("the channel's own word for a state other than active")
    .meta({ examples: ['USER_IS_BLOCKED'] }),
  since: unixMs.optional().describe('last change of state, Unix ms'),
  agreed: z
    .strictObject({
      at: unixMs.describe('when, Unix ms'),
      by: z
        .enum(['code', 'start', 'page', 'application'])
        .describe(
          'by a code typed into the channel, by START there, signed in to the web, or as they applied to be put into the list',
        ),
      wording: z
        .string()
        .optional()
        .describe(
          'which wording they were shown, as an id of its version and language; absent of START, which people write in their own words, and of what was recorded before wordings were kept',
        )
        .meta({ examples: ['code-1-ru'] }),
      words: z
        .string()
        .optional()
        .describe('that wording')
        .meta({ examples: ['Даю согласие получать сообщения здесь'] }),
    })
    .optional()
    .describe(
      'the person has agreed to be written to there; absent where a list or the office has brought it; shown to the person and to operators only',
    ),
})

const contactView = oneContact.extend({
  others: z
    .array(oneContact)
    .optional()
    .describe(
      'further ones on this channel, tried in their order where those before certainly do not reach the person; absent where there are none; shown to the person and to operators only',
    ),
})

export const personDetails = z
  .strictObject({
    ...personView.shape,
    contacts: z.record(z.string(), contactView).describe('by channel'),
    fields: personBody.shape.fields.describe(
      'what texts may say of the person; shown to the person and to operators only, and absent where there is nothing',
    ),
    groups: z.array(groupId).describe('that the person is in'),
    topics: z.array(topicId).optional().describe('that the person is in; shown to the person and to operators only'),
  })
  .describe('a person with contacts and groups')
export type PersonDetails = z.infer<typeof personDetails>

export const peoplePage = z
  .strictObject({
    people: z.array(personView).describe('by id'),
    next: personId.optional().describe('`after` of the next page; absent at the end'),
  })
  .describe('a page of people')
export type PeoplePage = z.infer<typeof peoplePage>

export const groupBody = z
  .strictObject({ name: groupName, owners })
  .describe('a group')
  .meta({ examples: [{ name: 'ИВТ-101', owners: ['t-gus'] }] })
export type GroupInput = z.input<typeof groupBody>

export const groupView = z
  .strictObject({
    id: groupId,
    name: z
      .string()
      .describe('what people call it')
      .meta({ examples: ['ИВТ-101'] }),
    owners: ownerList,
    size: smallCount.describe('people in it'),
  })
  .describe('a group')
export type GroupView = z.infer<typeof groupView>
export const groupList = z.strictObject({ groups: z.array(groupView).describe('by id') }).describe('the groups')

export const membersBody = z.strictObject({
  people: z
    .array(id)
    .min(1)
    .max(10_000)
    .describe('ids of people')
    .meta({ examples: [['s-ekn-101-01', 's-ekn-101-02']] }),
})
export const memberList = z.strictObject({ people: z.array(personId).describe('their ids') }).describe('who is in it')
export type MemberList = z.infer<typeof memberList>
export const changedCount = z
  .strictObject({ changed: smallCount.describe('so many for whom it was not so before') })
  .describe('how many were changed')
export type ChangedCount = z.infer<typeof changedCount>

export const cohortBody = z
  .strictObject({
    name: shownName.describe('what people call it').meta({ examples: ['ИВТ'] }),
    owners,
    groups: z.array(id).max(10_000).describe('ids of its groups'),
  })
  .describe('a cohort: a group of groups')
  .meta({ examples: [{ name: 'ИВТ', groups: ['ivt-101', 'ivt-102'] }] })
export type CohortInput = z.input<typeof cohortBody>

export const cohortView = z
  .strictObject({
    id: cohortId,
    name: z
      .string()
      .describe('what people call it')
      .meta({ examples: ['ИВТ'] }),
    owners: ownerList,
    groups: z.array(groupId).describe('its groups'),
  })
  .describe('a cohort: a group of groups')
export type CohortView = z.infer<typeof cohortView>
export const cohortList = z.strictObject({ cohorts: z.array(cohortView).describe('by id') }).describe('the cohorts')

/** `PUT` of a person, group, cohort or topic. */
export const putOutcome = z
  .strictObject({
    id: z
      .string()
      .describe('its id')
      .meta({ examples: ['ekn-101'] }),
    outcome: z.enum(['created', 'updated', 'unchanged']).describe('whether it was there, and another'),
  })
  .describe('what became of it')
export type PutOutcome = z.infer<typeof putOutcome>

export const address = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('an address on the channel: a phone number, a mailbox, the id of a chat')
  .meta({ examples: ['+79161234567'] })
export const contactBody = z.strictObject({ address })
export const contactOwner = z
  .strictObject({
    channel: channelName,
    address: z
      .string()
      .describe('the address, as it is kept')
      .meta({ examples: ['79161234567'] }),
    person: personId,
  })
  .describe('whose an address is')
export type ContactOwner = z.infer<typeof contactOwner>
