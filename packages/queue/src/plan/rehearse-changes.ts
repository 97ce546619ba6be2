/** What a correction or a recall would do if it were made now: decided as the couriers decide it, and nothing is written. */
import {
  type CorrectionRehearsal,
  type HistoryRef,
  historyKeyOf,
  type PersonalText,
  type Reader,
  type RecallRehearsal,
} from '@courier-fleet/api-types'
import { type Content, contentOn, findChannel } from '@courier-fleet/channels'
import { isDeletable, isEditable, isInTime } from '@courier-fleet/channels/changes'
import { type Contact, contactsIn, type Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import { termsOf } from '@courier-fleet/rules'
import {
  digestOfContact,
  type Found,
  findCorrected,
  findRecalled,
  type LiveSettings,
  type MessageRecord,
  type Redis,
  type Snapshot,
  urlsIn,
} from '@courier-fleet/store'
import type { AskingWords } from '../acceptance/fitting-text.ts'
import { createPaidCount, isPaid, wordsFor } from './paid-count.ts'
import { standingOf } from './standing.ts'

interface ChangesDeps {
  readonly redis: Redis
  readonly directory: Pick<Directory, 'contactsOf' | 'findInFull'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
}

type Corrected = CorrectionRehearsal['channels'][string]
type Recalled = RecallRehearsal['channels'][string]

const noneChanged = { attempting: 0, notSent: 0, untouched: 0 }
const noneCorrected: Corrected = { edited: 0, followedUp: 0, uncorrected: 0, ...noneChanged }
const noneRecalled: Recalled = { deleted: 0, replaced: 0, remaining: 0, ...noneChanged }

interface HowTold {
  /** what a message of its own says; absent: none is wanted */
  readonly message: PersonalText | undefined
  /** also to whoever is edited */
  readonly isAlways: boolean
}

/** @throws Problem as the correction would */
export async function rehearseCorrection(
  { redis, directory, settings, clock }: ChangesDeps,
  snapshot: Snapshot,
  written: PersonalText,
  { message: followUp, isAlways }: HowTold,
): Promise<CorrectionRehearsal> {
  const nowMs = clock.now()
  const { record, version, people, channels } = findCorrected(redis, snapshot, {
    ...written,
    followUp,
    on: (channel, words, text) => contentOn(channel, { ...words, text }).text,
    canEdit: (channel) => findChannel(channel)?.abilities.edit !== undefined,
    nowMs,
  })
  const { tariffs, ...rules } = settings.current()
  const counted: CorrectionRehearsal['channels'] = {}
  for (const { channel, found } of channels) {
    const edits = findChannel(channel)?.abilities.edit !== undefined
    const counts: Corrected = { ...noneCorrected, ...(isAlways && edits ? { alsoTold: 0 } : {}) }
    const contentFor = readerOn(channel, { ...record, personal: undefined, ...written })
    const earlierFor = readerOn(channel, record)
    const terms = termsOf(channel, record.rules?.type, rules)
    const paid = followUp && isPaid(channel) ? createPaidCount(channel, { ...record, ...followUp }, tariffs) : undefined
    for await (const page of found) {
      const contacts = await contactsOf(page, channel, { record, ref: snapshot.ref }, directory)
      const readers = written.personal ? await directory.findInFull(page.map(({ person }) => person)) : []
      for (const [index, each] of page.entries()) {
        const contact = contacts[index]
        const reader = readers[index] ?? { id: each.person }
        const content = contentFor(reader)
        // a message that has files can be given no text that they do not go with
        const losesFiles = content.files === undefined && earlierFor(reader).files !== undefined
        const place = placeOfCorrected(channel, each, { contact, terms, nowMs, text: content.text, losesFiles })
        counts[place] += 1
        if (
          place === 'edited' &&
          counts.alsoTold !== undefined &&
          contact &&
          standingOf(contact, terms) === 'reachable'
        )
          counts.alsoTold += 1
        if (place === 'followedUp' && contact) paid?.add(contact.address, reader)
      }
    }
    counted[channel] = { ...counts, ...(paid ? { cost: paid.cost(counts.followedUp) } : {}) }
  }
  return { key: historyKeyOf(snapshot.ref), version, people, channels: counted }
}

/** What somebody would read on the channel. */
function readerOn(channel: string, words: AskingWords): (reader: Reader) => Content {
  const same = contentOn(channel, words)
  return (reader) => (words.personal ? contentOn(channel, wordsFor(channel, words, reader)) : same)
}

interface Known {
  readonly contact: Contact | undefined
  readonly terms: ReturnType<typeof termsOf>
  readonly nowMs: number
  /** what they would read instead */
  readonly text: string
  /** what they have has files, and this text would be sent with links */
  readonly losesFiles: boolean
}

type PlaceOfCorrected = Exclude<keyof Corrected, 'cost' | 'alsoTold'>

function placeOfCorrected(
  channel: string,
  found: Found,
  { contact, terms, nowMs, text, losesFiles }: Known,
): PlaceOfCorrected {
  const { correcting, atMs } = found
  if (correcting.kind === 'wait') return 'attempting'
  if (correcting.kind === 'nothing') return placeOfOthers(found)
  if (correcting.kind === 'stays') return 'uncorrected'
  const { edits, followUp } = correcting.correction
  // an edit makes no sound, and needs no agreement
  const isEdit = edits !== undefined
  const own = isEdit ? { ...terms, needsAgreement: false } : terms
  if (!contact || standingOf(contact, own) !== 'reachable') return 'uncorrected'
  if (!isEdit) return 'followedUp'
  const isDone =
    !losesFiles &&
    isEditable(channel, edits, text) &&
    isInTime(findChannel(channel)?.abilities.edit, ageOf(atMs, nowMs))
  if (isDone) return 'edited'
  return followUp === undefined ? 'uncorrected' : 'followedUp'
}

/** Where the message went, if that is theirs still. A URL that a message is for is its recipient's contact. */
async function contactsOf(
  page: readonly Found[],
  channel: string,
  { record, ref }: { readonly record: Pick<MessageRecord, 'to'>; readonly ref: HistoryRef },
  directory: ChangesDeps['directory'],
): Promise<readonly (Contact | undefined)[]> {
  const people = page.map(({ person }) => person)
  const urls = urlsIn(record.to)
  if (urls)
    return people.map((id): Contact | undefined => {
      const address = urls.get(id)
      return address === undefined ? undefined : { address, state: 'active' }
    })
  const contacts = await directory.contactsOf(channel, people)
  return contacts.map((contact, index) => {
    const wentTo = page[index]?.wentTo
    if (!contact || wentTo === undefined) return contact
    return contactsIn(contact).find(({ address }) => digestOfContact(ref, address) === wentTo)
  })
}

const placeOfOthers = ({ isPending }: Found) => (isPending ? 'notSent' : 'untouched')
const ageOf = (atMs: number | undefined, nowMs: number) => nowMs - (atMs ?? nowMs)

/** @throws Problem as taking it back would */
export async function rehearseRecall(
  { redis, directory, clock }: ChangesDeps,
  snapshot: Snapshot,
): Promise<RecallRehearsal> {
  const nowMs = clock.now()
  const canRecall = (channel: string) => findChannel(channel)?.abilities.recall !== undefined
  const { record, people, channels } = findRecalled(redis, snapshot, { canRecall, nowMs })
  const counted: RecallRehearsal['channels'] = {}
  for (const { channel, found } of channels) {
    const counts = { ...noneRecalled }
    for await (const page of found) {
      const contacts = await contactsOf(page, channel, { record, ref: snapshot.ref }, directory)
      for (const [index, each] of page.entries()) counts[placeOfRecalled(channel, each, contacts[index], nowMs)] += 1
    }
    counted[channel] = counts
  }
  return { key: historyKeyOf(snapshot.ref), people, channels: counted }
}

function placeOfRecalled(channel: string, found: Found, contact: Contact | undefined, nowMs: number): keyof Recalled {
  const { correcting, atMs } = found
  if (correcting.kind === 'wait') return 'attempting'
  if (correcting.kind === 'nothing') return placeOfOthers(found)
  // whether the contact is still of use is not asked: what they have is taken from whoever gets nothing more, too
  if (correcting.kind === 'stays' || !contact) return 'remaining'
  const { recalls = '', mayLeaveOne } = correcting.correction
  const { edit, recall } = findChannel(channel)?.abilities ?? {}
  const ageMs = ageOf(atMs, nowMs)
  if (mayLeaveOne || !isDeletable(channel, recalls)) return 'remaining'
  if (isInTime(recall, ageMs)) return 'deleted'
  return isInTime(edit, ageMs) ? 'replaced' : 'remaining'
}
