/** Fields as callers give them, which are checked by their form; those that are told stand in fields.ts. */
import { z } from 'zod'
import { isCode } from './code-life.ts'
import { hiddenIn } from './hidden-characters.ts'
import { channelPattern, idPattern } from './history-key.ts'
import { aboutMessagePattern, unreadPattern } from './narrowing.ts'
import { urlPattern } from './url-recipients.ts'

export const id = z
  .string()
  .regex(idPattern, 'letters, digits, - and _ only, at most 64')
  .describe('an id: letters, digits, - and _, at most 64')
  .meta({ examples: ['ekn-101'] })
export const channelName = z
  .string()
  .regex(channelPattern, 'a channel name such as telegram, vk or sms')
  .describe('a channel, such as telegram, vk or sms')
  .meta({ examples: ['sms'] })
/** A one-time code as people type it; blanks and hyphens between the digits do no harm. */
export const oneTimeCode = z
  .string()
  .meta({ examples: ['4711 0815'] })
  .trim()
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine(isCode, 'a code of eight digits, or of twelve')
  .describe('a one-time code of eight digits, or of twelve where it is good for days; blanks and hyphens do no harm')
/** Read in UTC: the same moment is the same text, whatever offset it was written with. */
export const instant = z.iso
  .datetime({ offset: true, error: 'an ISO 8601 date-time with offset, such as 2026-09-01T09:00:00+03:00' })
  .overwrite((text) => {
    // as it would be written
    if (text.length === 24 && text.endsWith('Z')) return text
    const ms = Date.parse(text)
    return Number.isNaN(ms) ? text : new Date(ms).toISOString()
  })
  .meta({ examples: ['2026-09-01T09:00:00+03:00'] })

/** Of a name. */
export function refuseHidden(name: string, context: z.RefinementCtx): void {
  const message = hiddenIn(name)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
}

export const sources = ['bot', 'web', 'sms', 'api'] as const
export type Source = (typeof sources)[number]

export const audienceToken = z
  .string()
  .regex(
    new RegExp(
      `^(user|group|cohort|topic):[A-Za-z0-9_-]{1,64}$|^role:[a-z][a-z0-9-]{0,31}$|${unreadPattern.source}|${aboutMessagePattern.source}|${urlPattern.source}`,
    ),
    {
      error: ({ input }) =>
        `${JSON.stringify(String(input).slice(0, 80))} names nobody: write user:<id>, group:<id>, cohort:<id>, topic:<id> or role:<role>; to leave only some of those, unread:<days>d, unconfirmed:<key> or unreached:<key>; or url:https://…, and then nothing but URLs`,
    },
  )
  .meta({ examples: ['group:ekn-101', 'role:trainer', 'user:s-ekn-101-01'] })

/** When something is to happen, as a caller says it. */
export const dueTime = z.union([z.literal('now'), instant]).meta({ examples: ['now', '2026-09-01T09:00:00+03:00'] })
