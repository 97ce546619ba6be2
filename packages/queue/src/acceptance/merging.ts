/** Which messages may go out as one with others of their sender to the same person: docs/decisions/0072. */
import { type MessageBody, type MessageType, rulesIn, typeOf } from '@courier-fleet/api-types'
import { durationMs } from '@courier-fleet/api-types/duration'
import { channels } from '@courier-fleet/channels'
import type { Merge } from '@courier-fleet/store'

/** Those whose messages are a text and nothing else. */
const joining = channels.filter(({ text }) => text.kind !== 'whole').map(({ name }) => name)

/** What is decided of each person by itself, or answered by them, goes by itself. */
const standsAlone = ({
  text,
  steps,
  whenOnline,
  recheck,
  confirm,
  data,
  fields,
  recipients,
  template,
  ceiling,
  files,
}: MessageBody): boolean =>
  typeof text !== 'string' ||
  [steps, whenOnline, recheck, confirm, data, fields, recipients, template, ceiling, files].some(
    (each) => each !== undefined,
  )

/** What it says of the rules is its own: others would go by them too. */
const hasOwnRules = (body: MessageBody): boolean => Object.keys(rulesIn(body) ?? {}).some((name) => name !== 'type')

/** @returns undefined where the message goes by itself */
export function mergeOf(types: readonly MessageType[], body: MessageBody): Merge | undefined {
  const window = typeOf(types, body.type).merge
  if (window === undefined || body.class === 'urgent' || standsAlone(body) || hasOwnRules(body)) return undefined
  const [, person] = body.to.length === 1 ? (/^user:(.+)$/.exec(body.to[0] as string) ?? []) : []
  return person === undefined ? undefined : { person, windowMs: durationMs(window), channels: joining }
}
