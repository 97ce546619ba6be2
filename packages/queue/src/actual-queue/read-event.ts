/** What a system sends that was written for actual_queue, and the message it means. */
import { type MessageInput, urlToken } from '@courier-fleet/api-types'
import { z } from 'zod'

const seconds = z.union([z.number(), z.string().regex(/^\d+$/, 'whole seconds, such as 60').transform(Number)]).pipe(
  z
    .number()
    .min(0)
    .max(366 * 86_400),
)

const yes = new Set(['1', 'true', 'yes', 'on'])
const no = new Set(['', '0', 'false', 'no', 'off'])
const isYes = z.union([
  z.boolean(),
  z
    .string()
    .refine((text) => yes.has(text) || no.has(text), 'true or false')
    .transform((text) => yes.has(text)),
])

/** It took addresses without a scheme, and called them in the clear. */
const address = z
  .string()
  .min(1)
  .max(1000)
  .transform((text) => (/^https?:\/\//i.test(text) ? text : `http://${text}`))

const userId = z.union([z.string(), z.int().transform(String)])

export const eventFields = z
  .strictObject({
    url: address,
    delay: seconds.default(0),
    uid: userId.optional(),
    type: z.string().optional(),
    recheck_url: address.optional(),
    send_than_online: isYes.default(false),
  })
  .refine(({ uid, send_than_online }) => !send_than_online || uid !== undefined, {
    path: ['uid'],
    error: 'say who has to be online',
  })
type Event = z.output<typeof eventFields>

export const presenceFields = z.strictObject({ uid: userId })

export function messageOf({ url, delay, uid, type, recheck_url, send_than_online }: Event): MessageInput {
  const about = type ?? 'event'
  return {
    to: [urlToken(url)],
    // people read it in lists; the address is told by `to`
    text: uid === undefined ? about : `${about}: ${uid}`,
    in: delay,
    ...(type === undefined ? {} : { type }),
    ...(uid === undefined && type === undefined ? {} : { data: { uid, type } }),
    ...(recheck_url === undefined ? {} : { recheck: { url: recheck_url } }),
    ...(send_than_online && uid !== undefined ? { whenOnline: uid } : {}),
  }
}
