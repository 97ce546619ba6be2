/** Which of somebody's contacts a message goes to, where they have several on the channel; lua/lib/next-contact.lua keeps which were tried. */
import type { Reason } from '@courier-fleet/api-types'
import { type Contact, contactsIn } from '@courier-fleet/directory'
import { digestOfContact, lineOfTry, type Redis, readTries, type Try } from '@courier-fleet/store'
import { versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

/** One of these: a contact, or that none of theirs is left, and why the last one failed. */
export interface Choice {
  readonly contact?: Contact
  /** what record.lua notes with the mark; absent of a correction: that goes where the message went */
  readonly tried?: string
  readonly left?: Reason
}

/** People of one claim, in the order of their ordinals. */
interface OfClaim {
  readonly buffer: ClaimBuffer
  readonly people: readonly string[]
}

interface ChoiceDeps {
  readonly redis: Redis
  readonly channel: string
  /** only contacts that their person has agreed to come into question */
  readonly needsAgreement: (buffer: ClaimBuffer) => boolean
}

/** @param contacts of all people, in order. @returns by their index in these, of whoever has several, or is told of a correction; of others nothing is read */
export async function chooseContacts(
  claims: readonly OfClaim[],
  contacts: readonly (Contact | undefined)[],
  deps: ChoiceDeps,
): Promise<ReadonlyMap<number, Choice>> {
  const choices = new Map<number, Choice>()
  const reads: Promise<void>[] = []
  let from = 0
  for (const { buffer, people } of claims) {
    const isCorrection = versionOf(buffer.claim) !== undefined
    const own: Choosable[] = []
    for (let index = 0; index < people.length; index += 1) {
      const contact = contacts[from + index]
      if (contact && (isCorrection || contact.others)) own.push({ contact, index })
    }
    if (own.length > 0) reads.push(chooseIn(buffer, from, own, choices, deps))
    from += people.length
  }
  await Promise.all(reads)
  return choices
}

/** Somebody of a claim who may have another contact than when they were sent the message. */
interface Choosable {
  readonly contact: Contact
  /** which of the claim's people it is */
  readonly index: number
}

async function chooseIn(
  buffer: ClaimBuffer,
  from: number,
  people: readonly Choosable[],
  choices: Map<number, Choice>,
  { redis, channel, needsAgreement }: ChoiceDeps,
): Promise<void> {
  const { claim, isFresh } = buffer
  const isCorrection = versionOf(claim) !== undefined
  const ordinals = people.map(({ index }) => claim.from + index)
  const tries = isFresh && !isCorrection ? [] : await readTries(redis, claim.ref, channel, ordinals)
  for (const [at, { contact, index }] of people.entries()) {
    const own = tries[at] ?? []
    const choice = isCorrection ? whereItWent(buffer, contact, own) : next(buffer, contact, own, needsAgreement(buffer))
    choices.set(from + index, choice)
  }
}

/** The one that the receipt is about; nobody where that is theirs no more. Where it is not noted they had one, and have what is used now. */
function whereItWent({ claim }: ClaimBuffer, contact: Contact, tries: readonly Try[]): Choice {
  const last = tries.at(-1)
  if (!last) return { contact }
  const found = contactsIn(contact).find(({ address }) => digestOfContact(claim.ref, address) === last.digest)
  return found ? { contact: found } : {}
}

/** The first that no try is over of. What holds for all of them, such as a STOP, is decided by the first. */
function next({ claim }: ClaimBuffer, contact: Contact, tries: readonly Try[], needsAgreement: boolean): Choice {
  const over = tries.filter(({ state }) => state !== undefined)
  const isOver = ({ address }: Contact) => over.some(({ digest }) => digest === digestOfContact(claim.ref, address))
  const isUsable = ({ state, agreed }: Contact) => state === 'active' && (agreed !== undefined || !needsAgreement)
  const [found, ...more] = contactsIn(contact).filter((each) => isUsable(each) && !isOver(each))
  if (found) return { contact: found, tried: lineOfTry(claim.ref, found.address, more.length > 0) }
  const reason = contact.state === 'opted-out' ? undefined : over.at(-1)?.reason
  return reason === undefined ? { contact } : { left: reason }
}
