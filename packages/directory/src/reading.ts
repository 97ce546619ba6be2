/** Who may read what of whom: asked by the routes of the API, and anew for each change that a subscriber is told. */
import { agreementWords, type CallerRole, type Role, roles, systemSender } from '@courier-fleet/api-types'
import { shownAddress } from '@courier-fleet/channels'
import { inOrderOfUse } from './contact-record.ts'
import type { Directory, Principal } from './directory.ts'

export interface Reader extends Principal {
  /** the channel of the inbound process that acts for this person */
  readonly inboundChannel?: string
  /** and the contact there that it acts for */
  readonly inboundAddress?: string
}

const rank = (role: CallerRole) => roles.indexOf(role as Role)

/** An inbound process has no rank, and gives nobody an operator's powers: a bot or a phone number is too easily forged. */
export function hasRole({ role, inboundChannel }: Reader, least: Role): boolean {
  if (inboundChannel !== undefined && rank(least) >= rank('operator')) return false
  return rank(role) >= rank(least)
}

/** A key of somebody in the directory gives no more than their present role: whoever is demoted loses it at once. */
export function roleNow(ofKey: CallerRole, ofOwner: CallerRole | undefined): CallerRole {
  if (ofOwner === undefined || ofKey === 'inbound' || ofKey === 'presence') return ofKey
  return rank(ofKey) > rank(ofOwner) ? ofOwner : ofKey
}

/** Whether somebody may read this group or cohort: staff read all, trainers their own. */
export function mayRead(reader: Reader, { owners }: { readonly owners: readonly string[] }): boolean {
  return hasRole(reader, 'staff') || owners.includes(reader.owner)
}

/** One's own; operators everybody's but the fleet's own. */
export function mayReadHistory(reader: Reader, { sender }: { readonly sender: string }): boolean {
  return sender === reader.owner || (sender !== systemSender && hasRole(reader, 'operator'))
}

type Details = NonNullable<Awaited<ReturnType<Directory['getPerson']>>>

/** Without what anybody could write with who has read it; with the wording by which they have agreed. */
export function shownContacts({ contacts }: Pick<Details, 'contacts'>): Details['contacts'] {
  const shown = Object.entries(contacts).map(([channel, contact]) => {
    const { agreed, others } = contact
    const words = agreed?.wording === undefined ? undefined : agreementWords(agreed.wording)
    const told = agreed && words !== undefined ? { agreed: { ...agreed, words } } : {}
    const further = others?.map((other) => ({ ...other, address: shownAddress(channel, other.address) }))
    const shownOthers = further ? { others: further } : {}
    return [channel, { ...contact, ...told, ...shownOthers, address: shownAddress(channel, contact.address) }] as const
  })
  return Object.fromEntries(shown)
}

/** A person as this reader may see them: addresses, topics and fields are for themselves and for operators. */
export function personShownTo(
  reader: Reader,
  person: Details,
): Omit<Details, 'topics'> & Partial<Pick<Details, 'topics'>> {
  if (person.id === reader.owner || hasRole(reader, 'operator')) return { ...person, contacts: shownContacts(person) }
  // of several they see how the one fares that messages go to
  const contacts = Object.entries(person.contacts).map(([channel, contact]) => {
    const { address: _, agreed: _agreed, others: _others, ...rest } = inOrderOfUse(contact)
    return [channel, rest] as const
  })
  const { topics: _, fields: _fields, ...shown } = person
  return { ...shown, contacts: Object.fromEntries(contacts) as Details['contacts'] }
}
