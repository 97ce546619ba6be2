/** From the claims of a flight to those who are to be sent to; everyone else is settled at once. */
import { memberOf, receiptBytes } from '@courier-fleet/api-types'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'
import type { Courier, Item } from './courier.ts'
import { idempotencyKey } from './idempotency.ts'
import type { Part } from './part.ts'
import { readRecipients } from './recipients.ts'

/** A recipient who is to be sent to; the adapter sees the Item of it. */
export interface Target extends Item {
  readonly part: Part
  readonly person: string
  readonly ordinal: number
  attempts: number
  /** by the flight's own clock */
  notBefore: number
}

export interface TargetsDeps {
  readonly redis: Redis
  readonly courier: Pick<Courier, 'channel' | 'keySpan' | 'foldsResends'>
  readonly directory: Pick<Directory, 'contactsOf'>
}

/** In the order of the parts and their ordinals; what is known of all others is set in their parts. */
export async function findTargets(parts: readonly Part[], deps: TargetsDeps): Promise<Target[]> {
  const { redis, courier, directory } = deps
  const recipients = await readRecipients(redis, courier.channel, parts)
  const everyone = [...recipients.values()].flatMap(({ people }) => people)
  const contacts = await directory.contactsOf(courier.channel, everyone)
  const targets: Target[] = []
  let at = 0
  for (const [part, { people, before }] of recipients) {
    for (let offset = 0; offset < people.length; offset += 1) {
      const contact = contacts[at]
      at += 1
      const known = before?.[offset] ?? receiptBytes.pending
      const ordinal = part.claim.from + offset
      if (!mayBeSent(part, ordinal, contact, known, courier.foldsResends)) continue
      targets.push({
        address: contact.address,
        text: part.message.text,
        key: keyOf(part, ordinal, courier),
        part,
        person: people[offset] as string,
        ordinal,
        attempts: 0,
        notBefore: 0,
      })
    }
  }
  return targets
}

/** @returns false when this recipient is settled without sending */
function mayBeSent(
  part: Part,
  ordinal: number,
  contact: Contact | undefined,
  known: number,
  foldsResends: boolean,
): contact is Contact {
  if (known === receiptBytes.attempting && !foldsResends) {
    part.set(ordinal, receiptBytes.unknown, '!the process that was sending died before the answer')
    return false
  }
  if (known !== receiptBytes.pending && known !== receiptBytes.attempting) return false
  if (known === receiptBytes.pending && !contact) {
    part.set(ordinal, receiptBytes['no-contact'])
    return false
  }
  if (known === receiptBytes.pending && contact?.state === 'opted-out') {
    part.set(ordinal, receiptBytes.suppressed, '!opted out')
    return false
  }
  if (known === receiptBytes.pending && contact && contact.state !== 'active') {
    part.set(ordinal, receiptBytes.failed, `!contact ${contact.state}: ${contact.reason ?? 'no reason given'}`)
    return false
  }
  if (!contact) {
    part.set(ordinal, receiptBytes.unknown, '!an attempt was under way when the contact was removed')
    return false
  }
  return true
}

function keyOf(part: Part, ordinal: number, { channel, keySpan }: TargetsDeps['courier']): bigint {
  const { ref } = part.claim
  const place = Math.floor(ordinal / keySpan)
  return part.keyAt(place, () => idempotencyKey(`${ref.shard}:${memberOf(ref)}`, 0, channel, place))
}
