/** Shapes of the HTTP API around people, groups, cohorts, contacts and roster imports. */
import { z } from 'zod'
import { roles } from './roles.ts'
import { channelName, id } from './schemas.ts'

/** What people, groups and the like are called. */
export const shownName = z.string().trim().min(1).max(200)
const owners = z.array(id).max(1000).default([]).describe('who may send to it')

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

export const personBody = z.strictObject({
  name: shownName,
  role: z.enum(roles),
  timeZone: z.string().refine(isTimeZone, 'an IANA time zone such as Europe/Moscow').default('UTC'),
  language: z.string().refine(isLanguage, 'a BCP 47 language tag such as ru').default('en'),
})
export type PersonInput = z.input<typeof personBody>

export const personView = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  timeZone: z.string(),
  language: z.string(),
})
export type PersonView = z.infer<typeof personView>

export const contactStates = ['active', 'blocked', 'deactivated', 'invalid', 'opted-out'] as const
export type ContactState = (typeof contactStates)[number]

const contactView = z.strictObject({
  address: z.string().optional().describe('shown to the person and to operators only'),
  state: z.enum(contactStates),
  reason: z.string().optional().describe("the channel's own word for a state other than active"),
  since: z.int().optional().describe('last change of state, Unix ms'),
})

export const personDetails = z.strictObject({
  ...personView.shape,
  contacts: z.record(z.string(), contactView),
  groups: z.array(z.string()),
  topics: z.array(z.string()).optional().describe('that the person is in; shown to the person and to operators only'),
})
export type PersonDetails = z.infer<typeof personDetails>

export const peoplePage = z.strictObject({
  people: z.array(personView),
  next: z.string().optional().describe('`after` of the next page; absent at the end'),
})
export type PeoplePage = z.infer<typeof peoplePage>

export const groupBody = z.strictObject({ name: shownName, owners })
export type GroupInput = z.input<typeof groupBody>

export const groupView = z.strictObject({
  id: z.string(),
  name: z.string(),
  owners: z.array(z.string()).readonly(),
  size: z.int(),
})
export type GroupView = z.infer<typeof groupView>
export const groupList = z.strictObject({ groups: z.array(groupView) })

export const membersBody = z.strictObject({ people: z.array(id).min(1).max(10_000) })
export const memberList = z.strictObject({ people: z.array(z.string()) })
export type MemberList = z.infer<typeof memberList>
export const changedCount = z.strictObject({ changed: z.int() })
export type ChangedCount = z.infer<typeof changedCount>

export const cohortBody = z.strictObject({ name: shownName, owners, groups: z.array(id).max(10_000) })
export type CohortInput = z.input<typeof cohortBody>

export const cohortView = z.strictObject({
  id: z.string(),
  name: z.string(),
  owners: z.array(z.string()).readonly(),
  groups: z.array(z.string()),
})
export type CohortView = z.infer<typeof cohortView>
export const cohortList = z.strictObject({ cohorts: z.array(cohortView) })

/** `PUT` of a person, group, cohort or topic. */
export const putOutcome = z.strictObject({ id: z.string(), outcome: z.enum(['created', 'updated', 'unchanged']) })
export type PutOutcome = z.infer<typeof putOutcome>

export const address = z.string().trim().min(1).max(200)
export const contactBody = z.strictObject({ address })
export const contactOwner = z.strictObject({ channel: channelName, address: z.string(), person: z.string() })
export type ContactOwner = z.infer<typeof contactOwner>

export const importReport = z.strictObject({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  lines: z
    .array(
      z.strictObject({
        line: z.int(),
        status: z.enum(['created', 'updated', 'unchanged', 'rejected']),
        person: z.string().optional(),
        field: z.string().optional(),
        code: z.string().optional().describe('why, as the code of a problem; `message` says more'),
        message: z.string().optional(),
      }),
    )
    .readonly(),
})
export type ImportReportView = z.infer<typeof importReport>
