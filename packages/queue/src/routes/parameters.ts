/** Parts of URLs that several routes have. */
import { channelName, historyKeyText, id } from '@courier-fleet/api-types'
import { z } from 'zod'

/** the form of a history key is checked by parseHistoryKey(), which says more */
export const keyParams = z.strictObject({ key: historyKeyText })
const personParam = id.describe('id of a person').meta({ examples: ['s-ekn-101-01'] })
export const keyPersonParams = keyParams.extend({ person: personParam })
export const personParams = z.strictObject({ id: personParam })
export const personKeyParams = personParams.extend({ key: historyKeyText })
export const groupParams = z.strictObject({ id: id.describe('id of a group').meta({ examples: ['ekn-101'] }) })
export const cohortParams = z.strictObject({ id: id.describe('id of a cohort').meta({ examples: ['ekn'] }) })
export const topicParams = z.strictObject({ id: id.describe('id of a topic').meta({ examples: ['chess'] }) })
export const templateParams = z.strictObject({
  id: id.describe('id of a template').meta({ examples: ['exam-room'] }),
})
export const typeParams = z.strictObject({ id: id.describe('id of a type of message').meta({ examples: ['news'] }) })
export const eventParams = z.strictObject({
  id: id.describe('of the event, as its sender calls it').meta({ examples: ['exam-5'] }),
})
export const groupPersonParams = groupParams.extend({ person: personParam })
export const topicPersonParams = topicParams.extend({ person: personParam })
export const channelParams = z.strictObject({ channel: channelName })
export const channelPersonParams = z.strictObject({ channel: channelName, person: personParam })
export const consentParams = personParams.extend({ channel: channelName })

export const dryRunQuery = z.strictObject({
  dryRun: z.literal('true').optional().describe('says what it would change, and changes nothing'),
})

export function limitParam(max: number, usual: number) {
  return z.coerce.number().int().min(1).max(max).default(usual).describe(`so many at most, up to ${max}`)
}
