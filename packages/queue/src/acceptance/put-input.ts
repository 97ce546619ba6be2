/** What is scheduled of a message that was found to be in order. */
import { durationMs, type MessageBody, type MessageType, rulesIn, typeOf } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import type { PutInput } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import type { AcceptDeps, Draft, Offer } from './draft.ts'
import { mergeOf } from './merging.ts'
import type { Addressees } from './named-addressees.ts'
import { delayMsOf, lastsOf } from './times.ts'

export const sourceOf = ({ body }: Offer, by: Caller) => by.source ?? body.source

export function putInputOf(
  { budgetViews }: Pick<AcceptDeps, 'budgetViews'>,
  types: readonly MessageType[],
  { offer, written, addressees, digest, event, dueMs, expiresMs, audience, senderLine, files, plan }: Draft,
  by: Caller,
): PutInput {
  const { ref, laidBy, issued, reminder, body } = offer
  return {
    ref,
    laidBy,
    about: reminder,
    event,
    issued,
    digest,
    source: sourceOf(offer, by),
    ...written,
    senderLine,
    subject: body.subject,
    files,
    to: addressees?.written ?? body.to,
    ...channelsOf(body, addressees),
    class: body.class,
    rules: rulesIn(body),
    ...deadlineOf(types, body),
    online: body.whenOnline,
    recheck: body.recheck,
    confirm: body.confirm,
    ceiling: body.ceiling,
    template: templateOf(body),
    role: budgetViews.roleIn(by),
    data: body.data,
    plan,
    merge: addressees?.urls ? undefined : mergeOf(types, body),
    audience,
    dueMs,
    ...(body.in === undefined ? {} : { delayMs: delayMsOf(body.in) }),
    expiresMs,
    lastsMs: lastsOf(body),
  }
}

/** Its version is known once it was read. */
const templateOf = ({ template }: MessageBody): PutInput['template'] =>
  template?.version === undefined ? undefined : { id: template.id, version: template.version }

function deadlineOf(types: readonly MessageType[], { type }: MessageBody): Pick<PutInput, 'deadlineMs'> {
  const { deadline } = typeOf(types, type)
  return deadline === undefined ? {} : { deadlineMs: durationMs(deadline) }
}

/** A URL is called by http, and by nothing else. */
function channelsOf(
  { channels, steps }: MessageBody,
  addressees: Addressees | undefined,
): Pick<PutInput, 'channels' | 'steps'> {
  if (addressees?.urls) return { channels: [http.name] }
  if (steps) return { steps }
  return channels ? { channels } : {}
}
