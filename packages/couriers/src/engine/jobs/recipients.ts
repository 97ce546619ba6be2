/** Whom the claims of a send job are for, what is known of them, and who of them is sent to; everyone else is settled at once. */

import { defaultType, historyKeyOf, receiptBytes, type WaveCause, withdrawnNotice } from '@courier-fleet/api-types'
import type { Contact, Directory } from '@courier-fleet/directory'
import { allOf } from '@courier-fleet/process'
import { type Decision, decide, type Facts, type Policy, switchesOf, termsOf } from '@courier-fleet/rules'
import {
  type Correcting,
  evidenceOfDetail,
  type HowCorrected,
  keys,
  type LiveSettings,
  type OneClick,
  type Redis,
  readAudience,
  type Settings,
} from '@courier-fleet/store'
import type { Courier, Envelope, Item } from '../../courier.ts'
import { versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import type { Reservation } from '../rules/budget-scripts.ts'
import { lookAgainMs, readCorrecting } from '../rules/corrections.ts'
import { putCostsInto } from '../rules/costs.ts'
import { isHeldCause, type JobQuiet, type JobQuietDeps, readQuiet } from '../rules/job-quiet.ts'
import type { Envelopes } from '../texts/envelopes.ts'
import { putKeysInto } from '../texts/keys-of-texts.ts'
import type { Message } from '../texts/messages.ts'
import { putTextsInto } from '../texts/personal-texts.ts'
import { chooseContacts } from './contact-choice.ts'
import { openReceipt } from './open-receipt.ts'
import type { ReceiptChange } from './receipt-update.ts'

/** Somebody who is to be sent to; the adapter sees the Item of it. Thousands live at once: what few have is absent until it is set. */
export interface Recipient extends Item {
  readonly buffer: ClaimBuffer
  readonly person: string
  readonly ordinal: number
  /** absent: they can be written to there, and nothing else is known of it */
  contact?: Contact
  envelope?: Envelope | undefined
  text: string
  subject?: string | undefined
  files?: Item['files']
  oneClick?: string | undefined
  /** as the one for a span of ordinals, where a courier sends one text to all of them */
  key: bigint
  /** what they are told, as it is counted; absent: what the message says */
  said?: Message['said']
  confirm?: Item['confirm']
  /** where the channel costs something: what an attempt does, in the unit of the message's ceiling, else in parts */
  cost?: number | undefined
  /** of whoever has several contacts: which this is, as record.lua notes it with the mark */
  tried?: string
  /** for what an attempt is to cost, by the budgets that hold for it; see budgets.ts */
  reservations?: readonly Reservation[] | undefined
  /** of whoever has, or may have, an older text */
  correction?: HowCorrected | undefined
  /** as far as this process knows */
  receipt: Facts['receipt']
  /** the provider has accepted it, or may have */
  mayHaveIt: boolean
  /** how often the provider has put it off in this job */
  tries: number
  triesBefore?: number
  /** by the job's own clock */
  notBefore: number
  /** they wait for a later wave of this cause, however soon it is */
  cause?: 'not-taken' | undefined
  /** when their quiet hours or an exam begins, by the same clock: whoever is not marked by then has to wait */
  quietFromMs?: number | undefined
  /** of a message with a recheck: until when it lets them go, by the same clock. Whoever is not marked by then is asked about anew */
  recheckedUntilMs?: number
}

/** Of such a moment of a recipient; one that is not there never comes. */
export const hasCome = (atMs: number | undefined, nowMs: number): boolean => atMs !== undefined && nowMs >= atMs

/** Who waits for a later wave, why, and until when by the job's clock. */
export interface Held {
  readonly recipient: Pick<Recipient, 'buffer' | 'ordinal'>
  readonly cause: WaveCause
  readonly untilMs: number
  /** how often what they wait for has failed, where that is counted */
  readonly failed?: number
}

export interface RecipientsDeps extends JobQuietDeps {
  readonly redis: Redis
  readonly courier: Pick<Courier, 'channel' | 'keySpan' | 'foldsResends' | 'edit' | 'recall'>
  readonly directory: Pick<Directory, 'contactsOf' | 'findPeople' | 'findInFull' | 'groupsAmong'>
  /** what a one-click address ends with; absent where the courier offers none */
  readonly oneClick?: ((offer: OneClick) => string) | undefined
  /** absent where the courier cannot ask for confirmations */
  readonly putAsksInto?: ((chosen: readonly Recipient[]) => Promise<void>) | undefined
  /** absent where the courier sends to people alone */
  readonly envelopes?: Envelopes | undefined
  /** the newest counts at each decision: a job takes them once, as it begins */
  readonly settings: Pick<LiveSettings, 'current'>
}

/** Who must wait longer than this is handed back as a later wave, so that the claim does not sit idle. */
export const maxWaitMs = 10_000
const maxTries = 5

/** What holds for the people of one message, as the settings are now: the same for all messages of a type, and made once for them. */
function createPolicies({ channel, foldsResends }: Pick<Courier, 'channel' | 'foldsResends'>, settings: Settings) {
  const ofTypes = new Map<string | undefined, Policy>()
  return ({ rules }: Pick<Message, 'rules'>): Policy => {
    const known = ofTypes.get(rules?.type)
    if (known) return known
    const policy = { foldsResends, maxWaitMs, maxTries, ...termsOf(channel, rules?.type, settings) }
    ofTypes.set(rules?.type, policy)
    return policy
  }
}

export interface Chosen {
  /** in the order of the claims and their ordinals */
  readonly chosen: Recipient[]
  readonly held: Held[]
  /** Decides of one of them anew: time has passed, or the provider has put them off. */
  decide(recipient: Recipient, throttled: Facts['throttled'], nowMs: number): Decision
  readonly quiet: JobQuiet
  /** of the settings by which all of it was decided */
  readonly version: number
}

/** Who is sent to, and who is held. Who is settled is set in their buffers. */
export async function chooseRecipients(buffers: readonly ClaimBuffer[], deps: RecipientsDeps): Promise<Chosen> {
  const { courier, directory, clock } = deps
  const ranges = await allOf(buffers.map((buffer) => readRange(buffer, deps)))
  const everyone = ranges.flatMap(({ people }) => people)
  const settings = deps.settings.current()
  const reading = readContacts(ranges, everyone, directory, courier.channel)
  const quiet = await readQuiet(ranges, reading, settings, deps)
  const contacts = await reading
  const policyOf = createPolicies(courier, settings)
  const choices = await chooseContacts(ranges, contacts, {
    redis: deps.redis,
    channel: courier.channel,
    needsAgreement: ({ message }) => policyOf(message).needsAgreement ?? false,
  })
  const judge = createJudge(policyOf, quiet)
  const chosen: Recipient[] = []
  const held: Held[] = []
  const nowMs = clock.now()
  let at = 0
  for (const { buffer, people, bytes, correcting } of ranges) {
    for (let offset = 0; offset < people.length; offset += 1) {
      const choice = choices.get(at)
      const found = choice ? choice.contact : contacts[at]
      at += 1
      const receipt = openReceipt(bytes?.[offset] ?? receiptBytes.pending)
      if (!receipt) continue
      const ordinal = buffer.claim.from + offset
      const person = people[offset] as string
      if (choice?.left && receipt === 'pending') {
        buffer.set({ ordinal, byte: receiptBytes.failed, reason: choice.left })
        continue
      }
      const step = correcting?.(ordinal)
      if (step && step.kind !== 'correct') {
        if (step.kind === 'wait')
          held.push({
            recipient: { buffer, ordinal },
            cause: causeOf(buffer),
            untilMs: nowMs + lookAgainMs(buffer.claim),
          })
        else buffer.set({ ordinal, ...endOf(step, receipt) })
        continue
      }
      const isEdit = changesMessage(step?.correction)
      // what they have is taken from whoever gets nothing more, too
      const contact =
        found && step?.correction.recalls !== undefined ? { address: found.address, state: 'active' as const } : found
      const { decision, quietFromMs } = judge(buffer, person, { receipt, contact, throttled: undefined, isEdit }, nowMs)
      if (decision.kind === 'settle') settle(buffer, ordinal, decision)
      if (decision.kind === 'settle' || !contact) continue
      const recipient = recipientOf(buffer, ordinal, person, contact, receipt, deps)
      if (choice?.tried !== undefined) recipient.tried = choice.tried
      if (step) Object.assign(recipient, { text: step.text ?? '', correction: step.correction })
      if (quietFromMs !== undefined) recipient.quietFromMs = quietFromMs
      if (decision.kind === 'hold') held.push({ recipient, cause: decision.cause, untilMs: decision.untilMs })
      else chosen.push(recipient)
    }
  }
  const written = await putTextsInto(chosen, directory)
  await putKeysInto(written, deps)
  await Promise.all([deps.envelopes?.putInto(written), deps.putAsksInto?.(written), putNoticesInto(written, directory)])
  putCostsInto(written, courier.channel, settings.tariffs)
  return {
    chosen: written,
    held,
    quiet,
    version: settings.version,
    decide(recipient, throttled, nowMs) {
      const { buffer, person, receipt, address, contact = { address, state: 'active' } } = recipient
      const isEdit = changesMessage(recipient.correction)
      const { decision, quietFromMs } = judge(buffer, person, { receipt, contact, throttled, isEdit }, nowMs)
      recipient.quietFromMs = quietFromMs
      return decision
    },
  }
}

/** A message that they have is edited or deleted: that makes no sound, and it keeps its id. */
export const changesMessage = (correction: HowCorrected | undefined): boolean =>
  (correction?.edits ?? correction?.recalls) !== undefined

const causeOf = ({ message }: ClaimBuffer): WaveCause => (message.recall === undefined ? 'corrected' : 'withdrawn')

/** What a message says from which nothing else can be taken away, in the language of each. */
async function putNoticesInto(chosen: readonly Recipient[], directory: Pick<Directory, 'findPeople'>): Promise<void> {
  const whose = chosen.filter(({ correction }) => correction?.recalls !== undefined)
  if (whose.length === 0) return
  const people = await directory.findPeople(whose.map(({ person }) => person))
  for (const [index, recipient] of whose.entries())
    Object.assign(recipient, { text: withdrawnNotice(people[index]?.language ?? ''), files: undefined })
}

/** Of an attempt to correct somebody nobody knows, where it was interrupted. */
function endOf(
  { kind }: Exclude<Correcting, { kind: 'correct' | 'wait' }>,
  receipt: Facts['receipt'],
): Omit<ReceiptChange, 'ordinal'> {
  if (receipt === 'attempting') return { byte: receiptBytes.unknown, reason: 'courier-ended' }
  return kind === 'nothing'
    ? { byte: receiptBytes.cancelled, reason: 'nothing-to-correct' }
    : { byte: receiptBytes.suppressed }
}

/** In order. A URL that a message is for is its recipient's contact. */
async function readContacts(
  ranges: readonly Range[],
  everyone: readonly string[],
  directory: Pick<Directory, 'contactsOf'>,
  channel: string,
): Promise<(Contact | undefined)[]> {
  if (!ranges.some(({ buffer }) => buffer.message.urls)) return directory.contactsOf(channel, everyone)
  const people = ranges.flatMap((range) => (range.buffer.message.urls ? [] : range.people))
  const found = people.length > 0 ? await directory.contactsOf(channel, people) : []
  let at = 0
  return ranges.flatMap(({ buffer: { message }, people: own }) =>
    own.map((id): Contact | undefined => {
      if (!message.urls) return found[at++]
      const address = message.urls.get(id)
      return address === undefined ? undefined : { address, state: 'active' }
    }),
  )
}

/** Of one person and one message, whatever the time. */
type Known = Pick<Facts, 'receipt' | 'throttled'> & {
  readonly contact: Contact | undefined
  /** what they have is edited, which makes no sound */
  readonly isEdit: boolean
}

/** What is decided of somebody by all that is known of them in this job, and when they are to be left alone next. */
function createJudge(policyOf: (message: Pick<Message, 'rules'>) => Policy, quiet: JobQuiet) {
  /** of the one that was asked for last: the people of a message stand together */
  let last: { readonly buffer: ClaimBuffer; readonly policy: Policy; readonly wasHeld: boolean } | undefined
  function termsFor(buffer: ClaimBuffer) {
    if (last?.buffer === buffer) return last
    const policy = policyOf(buffer.message)
    const own = quiet.termsOf(buffer)
    last = { buffer, policy: own ? { ...policy, ...own } : policy, wasHeld: isHeldCause(buffer.claim.cause) }
    return last
  }
  return (buffer: ClaimBuffer, person: string, known: Known, nowMs: number) => {
    const { receipt, contact, throttled, isEdit } = known
    const { policy, wasHeld } = termsFor(buffer)
    const own = contact && !isEdit ? quiet.at(buffer, person, contact, nowMs) : undefined
    return {
      decision: decide(
        { receipt, contact, throttled, wasHeld, quiet: own?.fact, exam: own?.exam },
        // of what they have they are told nothing new, and a URL that a message is for is nobody's contact
        isEdit || buffer.message.urls ? { ...policy, needsAgreement: false } : policy,
        nowMs,
      ),
      quietFromMs: own?.fromMs,
    }
  }
}

export function settle(
  buffer: ClaimBuffer,
  ordinal: number,
  { state, reason, detail }: Extract<Decision, { kind: 'settle' }>,
): void {
  const evidence = detail === undefined ? undefined : evidenceOfDetail(detail)
  buffer.set({ ordinal, byte: receiptBytes[state], reason, evidence })
}

/** It says no more than where they can be written to. */
const isPlain = ({ state, agreed, wishes }: Contact) =>
  state === 'active' && agreed === undefined && wishes === undefined

function recipientOf(
  buffer: ClaimBuffer,
  ordinal: number,
  person: string,
  contact: Contact,
  receipt: Facts['receipt'],
  deps: RecipientsDeps,
): Recipient {
  const { address } = contact
  const { claim, message } = buffer
  const recipient: Recipient = {
    class: claim.class,
    address,
    text: message.text,
    key: buffer.keyAt(Math.floor(ordinal / deps.courier.keySpan)),
    buffer,
    person,
    ordinal,
    receipt,
    mayHaveIt: receipt === 'attempting',
    tries: 0,
    notBefore: 0,
  }
  const { subject, files, recheck } = message
  if (subject !== undefined) recipient.subject = subject
  if (files) recipient.files = files
  if (!isPlain(contact)) recipient.contact = contact
  if (deps.oneClick) recipient.oneClick = offered(buffer, person, address, deps)
  if (claim.cause === 'not-taken') recipient.triesBefore = claim.tries
  if (recheck && versionOf(claim) === undefined) recipient.recheckedUntilMs = 0
  return recipient
}

/** Nothing where nobody can switch it off by itself: mandatory types, and the fleet's own words. */
function offered(
  { claim, message }: ClaimBuffer,
  person: string,
  address: string,
  { oneClick, courier, settings }: RecipientsDeps,
): string | undefined {
  const { type = defaultType } = message.rules ?? {}
  if (switchesOf(courier.channel, type, settings.current()).length === 0) return undefined
  return oneClick?.({ person, type, address, history: historyKeyOf(claim.ref) })
}

interface Range {
  readonly buffer: ClaimBuffer
  /** in the order of their ordinals */
  readonly people: readonly string[]
  /** what was never written is missing at the end; absent when nobody has touched the range before */
  readonly bytes?: Buffer
  /** of a correction: what is to be done about somebody */
  readonly correcting: ((ordinal: number) => Correcting) | undefined
}

function readRange(buffer: ClaimBuffer, deps: Pick<RecipientsDeps, 'redis' | 'courier'>): Range | Promise<Range> {
  const { claim, message, isFresh } = buffer
  const { firstPeople } = message
  const isKnown = isFresh && claim.to <= firstPeople.length && versionOf(claim) === undefined
  if (!isKnown) return readUnknown(buffer, deps)
  return { buffer, people: firstPeople.slice(claim.from, claim.to), correcting: undefined }
}

async function readUnknown(buffer: ClaimBuffer, deps: Pick<RecipientsDeps, 'redis' | 'courier'>): Promise<Range> {
  const { claim, message, isFresh } = buffer
  const { ref, leg, from, to } = claim
  const { firstPeople, width } = message
  const { redis } = deps
  const [people, bytes, correcting] = await Promise.all([
    to <= firstPeople.length ? firstPeople.slice(from, to) : readAudience(redis, ref, width, from, to),
    isFresh ? undefined : redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
    readCorrecting(buffer, deps),
  ])
  return { buffer, people, correcting, ...(bytes ? { bytes } : {}) }
}
