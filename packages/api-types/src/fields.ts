/**
 * Fields that many shapes of the API have. Each shows what one looks like; `.describe()` says what it means where it is used, and has
 * to where nothing is said here.
 */
import { z } from 'zod'
import { agreementIds } from './agreement.ts'
import { rolePattern } from './roles.ts'

const like = (...examples: [string, ...string[]]) => z.string().meta({ examples })
const named = (description: string, ...examples: [string, ...string[]]) => like(...examples).describe(description)

export const personId = named('id of a person', 's-ekn-101-01')
export const groupId = named('id of a group', 'ekn-101')
export const cohortId = named('id of a cohort', 'ekn')
export const topicId = named('id of a topic', 'chess')
export const templateId = named('id of a template', 'exam-room')
export const typeId = named('id of a type of message', 'news')
export const channelId = named('a channel', 'sms')
export const historyKeyText = named('history key of a message', '07.admin.V1StGXR8_Z5jdHi6B-myT')
export const sha256Text = named(
  'of the ids of its people, sorted and joined by line feeds',
  '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
)
export const personName = named('what the person is called', 'Кулешова Виктория')
export const languageTag = named('language of the person, as a BCP 47 tag', 'ru')
export const zoneName = named('time zone of the person, of the IANA list', 'Europe/Moscow')

/** ISO 8601 in UTC. */
export const moment = like('2026-09-01T06:00:00.000Z')
/** ISO 8601, of whole hours. */
export const hourText = like('2026-09-01T06:00:00.000Z')
export const count = z.int().meta({ examples: [312] })
export const smallCount = z.int().meta({ examples: [2] })
export const unixMs = z.int().meta({ examples: [1_788_242_400_000] })
export const words = like('Fire drill at noon')

/** The wording of a page, of this way to agree. */
export const agreementIdOf = (by: 'page' | 'push') =>
  z
    .enum(agreementIds.filter((id) => id.startsWith(`${by}-`)))
    .describe(
      'the wording that the person was shown and agrees to, where a page has shown one: kept with their consent',
    )

export const roleId = z
  .string()
  .regex(rolePattern, 'a role: a small letter, then small letters, digits and -, at most 32')
  .describe('id of a role: one of the five that are always there, or one that operators have made')
  .meta({ examples: ['trainer'] })
