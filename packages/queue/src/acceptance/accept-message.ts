/** From validated bodies to accepted messages. */

import {
  durationMs,
  type HistoryRef,
  historyKeyOf,
  type MessageBody,
  type MessageFile,
  type MessageType,
  type PersonalText,
  type Plan,
  Problem,
  rulesIn,
  type SenderLine,
  typeOf,
} from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import {
  type Events,
  type HangsOn,
  type Histories,
  hashOfAudience,
  idsOf,
  type LiveSettings,
  type PackedAudience,
  type PutInput,
  packAudience,
  type Redis,
  type Settings,
  type Templates,
} from '@courier-fleet/store'
import type { WebhookSecrets } from '@courier-fleet/webhooks'
import { type Audit, aboutMessage } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { Files } from '../files/files.ts'
import type { Metrics } from '../fleet/metrics.ts'
import { digestOf } from '../http/canonical-json.ts'
import type { Allowances } from '../limits/allowances.ts'
import type { BudgetViews } from '../limits/budget-views.ts'
import type { Quota } from '../limits/quota.ts'
import type { RedisRoom } from '../limits/redis-room.ts'
import { audienceOf, type Forecasts, type PlannedMessage } from '../plan/forecast.ts'
import { requireSealingKey, type Webhooks } from '../subscriptions/webhooks.ts'
import type { ReadAddressees } from './addressees.ts'
import { requirePriced } from './check-ceiling.ts'
import { requireAllowedRecheck } from './check-recheck.ts'
import { requireAllowedRules, wordsOfRules } from './check-rules.ts'
import { channelsIn, requireInTime, requireTellable } from './check-steps.ts'
import { type AskingWords, requireFittingText } from './fitting-text.ts'
import { requireKnownChannels } from './known-channels.ts'
import { mergeOf } from './merging.ts'
import { filledFromTemplate } from './message-template.ts'
import type { Addressees } from './named-addressees.ts'
import { requirePresence } from './require-presence.ts'
import type { SameAgain } from './same-again.ts'
import type { SenderLines } from './sender-lines.ts'
import { tellingWhose, withStepsOfType } from './steps-of-type.ts'
import { delayMsOf, dueOfMessage, endOfSending, expiryOf } from './times.ts'
import { requireForUrls } from './url-addressees.ts'
import { wasCancelled } from './was-cancelled.ts'
import { requireInAudience, requireValues, writtenOf } from './written-text.ts'

export interface Offer {
  readonly ref: HistoryRef
  /** by how many shards it was placed, where a repeated call must find it; absent of one that is new, was issued or lies with its event */
  readonly laidBy?: number
  /** true when the key must have been issued before */
  readonly issued: boolean
  /** true when the key can have been used before; a new key need not be looked up */
  readonly repeatable: boolean
  /** `<person>:<thing>`: nothing is accepted while there is another of this sender about it */
  readonly reminder?: string
  readonly body: MessageBody
}

export interface Accepted {
  /** the offer's own, or that of the reminder there is already */
  readonly ref: HistoryRef
  /** false for a repeat */
  readonly created: boolean
  /** what the sender may still send today, where there is a limit */
  readonly quotaLeft?: number | undefined
  /** of one that was accepted now; where no rule holds for it there is none */
  readonly plan?: Plan | undefined
}

export interface AcceptMessages {
  /**
   * Accepts a message; the same offer again changes nothing, even when the directory is another by now or `at` has passed.
   * @throws Problem 403 · 404 `unknown-key` · 409 `another-body` `cancelled` `audience-mismatch` · 422 · 429 `quota`
   */
  one(offer: Offer, by: Caller): Promise<Accepted>
  /** Many of one sender, each for itself. @returns of each, in order, what one() would return or throw */
  many(offers: readonly Offer[], by: Caller): Promise<(Accepted | Error)[]>
}

/** A message on its way; it has an answer as soon as nothing more is to be done about it. */
interface Draft {
  /** from a template, once that is read, with its text; of a type with steps with these */
  offer: Offer
  /** the type whose steps it has */
  stepsOf: string | undefined
  /** of the body as it was sent */
  readonly digest: string
  written: PersonalText
  event: HangsOn | undefined
  dueMs: number
  expiresMs: number
  addressees: Addressees | undefined
  audience: PackedAudience
  senderLine: SenderLine | undefined
  files: readonly MessageFile[] | undefined
  plan: Plan | undefined
  quotaLeft: number | undefined
  answer: Accepted | Error | undefined
}

const nobody = packAudience([])
const nothing: PersonalText = { text: '' }

interface AcceptDeps {
  readonly redis: Redis
  readonly shards: number
  readonly histories: Histories
  readonly events: Pick<Events, 'refOf' | 'find'>
  readonly templates: Pick<Templates, 'newest' | 'version'>
  readonly directory: Directory
  readonly quota: Quota
  readonly budgetViews: BudgetViews
  readonly allowances: Allowances
  readonly redisRoom: RedisRoom
  readonly files: Pick<Files, 'of' | 'keep'>
  readonly senderLines: SenderLines
  readonly addressees: ReadAddressees
  readonly settings: Pick<LiveSettings, 'current'>
  readonly clock: Clock
  readonly forecasts: Forecasts
  readonly sameAgain: SameAgain
  readonly webhooks: Webhooks
  readonly webhookSecrets: WebhookSecrets
  readonly metrics: Metrics
  readonly audit: Audit
  readonly log: Log
}

export function createAcceptMessages(deps: AcceptDeps): AcceptMessages {
  async function many(offers: readonly Offer[], by: Caller): Promise<(Accepted | Error)[]> {
    const drafts = offers.map((offer): Draft => {
      const digest = digestOf(offer.body)
      return {
        offer,
        stepsOf: undefined,
        digest,
        written: nothing,
        event: undefined,
        dueMs: 0,
        expiresMs: 0,
        addressees: undefined,
        audience: nobody,
        senderLine: undefined,
        files: undefined,
        plan: undefined,
        quotaLeft: undefined,
        answer: undefined,
      }
    })
    for (let tries = 1; tries === 1 || (tries <= maxTries && reopenMoved(drafts)); tries += 1) {
      // a step that all drafts share fails for all of them, when Redis is away
      await accept(deps, drafts, by).catch((error: Error) => {
        for (const draft of drafts) draft.answer ??= error
      })
    }
    return drafts.map(({ answer }) => answer as Accepted | Error)
  }

  return {
    many,
    async one(offer, by) {
      const [answer] = await many([offer], by)
      if (answer instanceof Error) throw answer
      return answer as Accepted
    },
  }
}

/** An event may be moved while a message is being hung on it: everything is judged anew by its new time, so often at most. */
const maxTries = 10

function reopenMoved(drafts: readonly Draft[]): boolean {
  const moved = drafts.filter(({ answer }) => answer instanceof Problem && answer.code === 'event-moved')
  for (const draft of moved) draft.answer = undefined
  return moved.length > 0
}

async function accept(deps: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const { clock, redisRoom, settings, directory, quota } = deps
  const open = () => drafts.filter(({ answer }) => answer === undefined)
  const each = (step: Step) => takeStep(drafts, step)
  const now = clock.now()
  await each((draft) => (draft.offer.repeatable ? answerRepeat(deps, draft, by) : undefined))
  if (open().length > 0) await redisRoom.require()
  await each((draft) => draft.offer.body.template && readTemplate(deps, draft))
  const current = settings.current()
  await each((draft) => judgeBody(deps, current, draft, by))
  await each((draft) => draft.offer.body.event !== undefined && readEvent(deps, draft, by))
  await each((draft) => setTimes(draft, now))
  await each((draft) => draft.offer.body.files && readFiles(deps, draft, by))
  await readAddressees(deps, open(), by)
  await Promise.all([nameSender(deps, open(), by), findAudiences(deps, open(), by)])
  await each((draft) => requireInAudience(draft.written, draft.audience))
  await each((draft) => draft.written.personal && requireValues(directory, draft.written, draft.audience))
  await each((draft) => requireFittingText(deps, channelsIn(draft.offer.body), wordsIn(draft)))
  await each((draft) => foresee(deps, draft, by))
  await each((draft) => warn(deps, draft))
  await each((draft) => deps.allowances.isStorageLimited(by) && countStored(deps, draft, by))
  if (quota.isLimited(by)) await reserveQuota(deps, drafts, by)
  await makeSecret(deps, drafts)
  await each((draft) => draft.files && keepFiles(deps, draft))
  await put(deps, open(), by)
}

/** What is done for one message: a promise only where something has to be waited for, so that many plain ones cost none. */
type Step = (draft: Draft) => unknown

/** Takes a step of each message that has no answer yet; one that fails has its error for an answer. */
async function takeStep(drafts: readonly Draft[], step: Step): Promise<void> {
  const waiting: Promise<void>[] = []
  for (const draft of drafts) {
    if (draft.answer !== undefined) continue
    try {
      const done = step(draft)
      if (done instanceof Promise) waiting.push(attemptAsync(draft, () => done))
    } catch (error) {
      draft.answer = error as Error
    }
  }
  if (waiting.length > 0) await Promise.all(waiting)
}

/** By what it says, and by what operators have set. @throws Problem 403 · 422 · 503 */
function judgeBody({ webhooks }: AcceptDeps, settings: Settings, draft: Draft, by: Caller): void {
  takeSteps(settings.types, draft)
  const { body } = draft.offer
  requireKnownChannels(body.channels)
  tellingWhose(draft.stepsOf, () => requireTellable(body, settings))
  draft.written = writtenOf(body, settings)
  requirePriced(settings, body.ceiling)
  requireAllowedRules(settings.types, body, by)
  requireAllowedRecheck(webhooks, settings, body.recheck, by)
}

const needsSecret = ({ offer, addressees }: Draft) => offer.body.recheck !== undefined || addressees?.urls !== undefined

/** What signs the questions, and what is posted to URLs, is there before the message is. They are of one sender. */
async function makeSecret({ webhookSecrets }: AcceptDeps, drafts: readonly Draft[]): Promise<void> {
  const signed = drafts.find((draft) => draft.answer === undefined && needsSecret(draft))
  const made = signed && webhookSecrets.ensure(signed.offer.ref.sender)
  if (made) await takeStep(drafts, (draft) => needsSecret(draft) && made)
}

async function answerRepeat(deps: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { ref, reminder } = draft.offer
  const { digest, cancelledMs } = await deps.histories.accepted(ref)
  if (digest === undefined) return reminder === undefined ? undefined : answerReminder(deps, draft, reminder, by)
  if (digest !== draft.digest) {
    throw new Problem(409, 'another-body', 'another message was accepted under this key', 'key')
  }
  if (cancelledMs !== undefined) throw wasCancelled(cancelledMs, 'put it under a new key')
  await answerAsBefore(deps, draft, ref, by)
}

/** Where the sender has another reminder about the same. @throws Problem 409 `another-reminder` where that is not the same message */
async function answerReminder(deps: AcceptDeps, draft: Draft, reminder: string, by: Caller): Promise<void> {
  const theirs = await deps.histories.reminder(draft.offer.ref, reminder)
  if (!theirs) return
  if ((await deps.histories.accepted(theirs)).digest !== draft.digest) {
    const detail = `there is another about it, ${historyKeyOf(theirs)}, and nothing has changed: move it (PATCH) or cancel it (DELETE) first`
    throw new Problem(409, 'another-reminder', detail, 'about')
  }
  await answerAsBefore(deps, draft, theirs, by)
}

async function answerAsBefore({ quota }: AcceptDeps, draft: Draft, ref: HistoryRef, by: Caller): Promise<void> {
  draft.answer = { ref, created: false, quotaLeft: (await quota.limits(by)).left ?? undefined }
}

async function readAddressees({ addressees }: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const found = await addressees.of(
    drafts.map(({ offer }) => offer.body.to),
    by,
  )
  for (const [index, draft] of drafts.entries()) {
    const whom = found[index] as Addressees | Error
    if (whom instanceof Error) draft.answer = whom
    else draft.addressees = whom
  }
}

/** @throws Problem 422 `unknown-file` */
async function readFiles({ files, clock }: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { offer, dueMs, expiresMs } = draft
  const ids = offer.body.files
  if (ids) draft.files = await files.of(ids, endOfSending(dueMs, expiresMs, clock.now()), by)
}

/** Before it is accepted: what was kept for nothing is removed in time, and nothing that was accepted lacks a file. */
async function keepFiles({ files }: AcceptDeps, { files: own, audience }: Draft): Promise<void> {
  const [person] = audience.size === 1 ? idsOf(audience, 0, 1) : []
  if (own) await files.keep(own, person)
}

/** @throws Problem 422 `unknown-template` */
async function readTemplate({ templates }: AcceptDeps, draft: Draft): Promise<void> {
  const { offer } = draft
  draft.offer = { ...offer, body: await filledFromTemplate(templates, offer.body) }
}

function takeSteps(types: readonly MessageType[], draft: Draft): void {
  const { body, stepsOf } = withStepsOfType(types, draft.offer.body)
  if (stepsOf === undefined) return
  draft.offer = { ...draft.offer, body }
  draft.stepsOf = stepsOf
}

/** @throws Problem 422 `unknown-event` */
async function readEvent({ events }: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { event: id, offset = 0 } = draft.offer.body
  if (id === undefined) return
  const found = await events.find(await events.refOf(by.owner, id))
  if (!found || found.cancelledMs !== undefined) {
    const what = found ? 'was cancelled' : 'is not there'
    throw new Problem(422, 'unknown-event', `your event "${id}" ${what}: put it first (PUT /v1/events/${id})`, 'event')
  }
  draft.event = { id, offset, atMs: found.atMs }
}

/** People: of a message to URLs nobody. */
const namedBy = ({ addressees, offer }: Draft) => (addressees?.urls ? [] : (addressees?.named ?? offer.body.to))

async function findAudiences(deps: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const audiences = await deps.directory.expandMany(drafts.map(namedBy), by)
  const found = new Map(drafts.map((draft, at) => [draft, audiences[at] as PackedAudience | Error]))
  await takeStep(drafts, (draft) => setAudience(deps, draft, found.get(draft) as PackedAudience | Error))
}

/** @throws Problem why this audience cannot be written to, or is not the one that was expected */
function setAudience(deps: AcceptDeps, draft: Draft, people: PackedAudience | Error): Promise<void> | undefined {
  const { offer, addressees } = draft
  const { whenOnline, expect } = offer.body
  if (addressees?.urls || addressees?.narrow || whenOnline !== undefined || expect)
    return checkAudience(deps, draft, people)
  draft.audience = somebodyIn(people)
  return undefined
}

async function checkAudience(deps: AcceptDeps, draft: Draft, people: PackedAudience | Error): Promise<void> {
  const { addressees, offer } = draft
  if (addressees?.urls) {
    requireForUrls(offer.body)
    requireSealingKey(deps.webhooks)
  }
  await requirePresence(deps.directory, offer.body, addressees?.urls !== undefined)
  const audience = somebodyIn(await narrowed(addressees?.urls ?? people, draft))
  await requireExpected(audience, offer.body)
  draft.audience = audience
}

async function narrowed(audience: PackedAudience | Error, { addressees }: Draft): Promise<PackedAudience | Error> {
  if (audience instanceof Problem) return addressees?.told?.(audience) ?? audience
  if (audience instanceof Error) return audience
  return addressees?.narrow?.(audience) ?? audience
}

async function nameSender({ senderLines }: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const lines = await senderLines.of(drafts.map(namedBy), by)
  for (const [index, draft] of drafts.entries()) if (!draft.addressees?.urls) draft.senderLine = lines[index]
}

const wordsIn = ({ offer: { body }, written, senderLine, files }: Draft): AskingWords => ({
  text: written.text,
  personal: written.personal,
  senderLine,
  files,
  confirm: body.confirm,
})

/** Only where its type wants no duplicates. */
function warn(
  { sameAgain, settings }: AcceptDeps,
  { offer, written, audience, addressees, files }: Draft,
): Promise<void> | undefined {
  if (addressees?.urls) return undefined
  const { ref, body } = offer
  const window = typeOf(settings.current().types, body.type).duplicates?.window
  if (window === undefined) return undefined
  return sameAgain.claim({
    ref,
    ...written,
    subject: body.subject,
    files,
    audience,
    window,
    isMeant: body.duplicates === 'allow',
  })
}

/** Who comes to a later step nobody knows before. */
const isForetold = ({ forecast, steps }: MessageBody) => forecast === true && !steps

/** No rule about people holds for URLs. */
function foresee(deps: AcceptDeps, draft: Draft, by: Caller): Promise<void> | undefined {
  if (draft.addressees?.urls) return undefined
  const { offer, dueMs, expiresMs } = draft
  const { body } = offer
  const rules = rulesIn(body)
  const channels = channelsIn(body)
  const online = body.whenOnline !== undefined
  const message = { channels, class: body.class, rules, online, recheck: body.recheck, dueMs, expiresMs }
  const isPriced = body.ceiling || deps.budgetViews.hold(by, { type: rules?.type, channels })
  if (!isForetold(body) && !isPriced && !deps.forecasts.concern(message)) return undefined
  return setPlan(deps, draft, by, message)
}

async function setPlan(
  { forecasts, budgetViews }: AcceptDeps,
  draft: Draft,
  by: Caller,
  planned: PlannedMessage,
): Promise<void> {
  const { offer, written, files, audience } = draft
  const { subject, ceiling } = offer.body
  const budgets = await budgetViews.of(by, { type: planned.rules?.type, channels: planned.channels })
  const message = {
    ...planned,
    ...written,
    subject,
    files,
    ...(isForetold(offer.body) ? { foretold: { words: wordsIn(draft) } } : {}),
    ...(ceiling || budgets.length > 0 ? { priced: { words: wordsIn(draft), budgets } } : {}),
  }
  draft.plan = await forecasts.planOf(audienceOf(audience), message)
}

/** what is kept of every message beside its text and its audience */
const bytesBeside = 500

function countStored(
  { allowances }: AcceptDeps,
  { offer, written, audience, files }: Draft,
  by: Caller,
): Promise<void> {
  const { to, data } = offer.body
  const ofText = Buffer.byteLength(written.personal ? JSON.stringify(written) : written.text)
  const ofData = data ? Buffer.byteLength(JSON.stringify(data)) : 0
  const bytes =
    bytesBeside + ofText + to.join().length + audience.rows.length + ofData + (files ? JSON.stringify(files).length : 0)
  return allowances.store(by, 1, bytes)
}

async function reserveQuota({ quota }: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  await takeStep(drafts, async (draft) => {
    draft.quotaLeft = await quota.reserve(draft.offer.ref, by)
  })
}

async function put(deps: AcceptDeps, drafts: readonly Draft[], by: Caller): Promise<void> {
  const { types } = deps.settings.current()
  const outcomes = await deps.histories.putMany(drafts.map((draft) => putInputOf(deps, types, draft, by)))
  for (const [index, draft] of drafts.entries()) {
    const outcome = outcomes[index] as { created: boolean } | Error
    const { ref } = draft.offer
    draft.answer =
      outcome instanceof Error
        ? outcome
        : { ref, created: outcome.created, quotaLeft: draft.quotaLeft, plan: draft.plan }
  }
  await Promise.all(drafts.filter(isReminder).map((draft) => answerLost(deps, draft, by)))
  const created = drafts.filter(isCreated)
  deps.metrics.countAccepted(created.map(({ offer }) => ({ ...offer.body, source: sourceOf(offer, by) })))
  await tellAudit(deps, created, by)
  const counted = drafts.filter(({ quotaLeft, answer, offer }) => {
    return quotaLeft !== undefined && (isRefusal(answer) || (answer as Accepted).ref !== offer.ref)
  })
  await Promise.all(counted.map(({ offer }) => giveBack(deps, offer.ref)))
}

const isReminder = ({ offer }: Draft) => offer.reminder !== undefined

/** Another call was faster with a reminder about the same: what it was answered holds for this one, too. */
async function answerLost(deps: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { reminder } = draft.offer
  if (reminder === undefined || !(draft.answer instanceof Problem) || draft.answer.code !== 'another-reminder') return
  await attemptAsync(draft, () => answerReminder(deps, draft, reminder, by))
}

const timeOf = ({ dueMs }: Draft) => (dueMs === 0 ? 'now' : new Date(dueMs).toISOString())

/** One line a call; of many lines of a bulk request one for all. Should Redis be away by now, the histories say who sent them. */
async function tellAudit({ audit, log }: AcceptDeps, created: readonly Draft[], by: Caller): Promise<void> {
  const [first] = created
  if (!first) return
  const { ref, body } = first.offer
  const asked = [...new Set(created.map(({ offer }) => wordsOfRules(offer.body)))].filter((words) => words !== '')
  const rules = asked.map((words) => `; ${words}`).join('')
  const about =
    created.length === 1
      ? { detail: `${body.to.join(' ')}: ${first.audience.size} people${rules}`, after: timeOf(first) }
      : { detail: `${created.length} messages in bulk, this one first${rules}` }
  await audit
    .write({ action: 'message.sent', ...aboutMessage(by, ref), ...about })
    .catch((error: unknown) => log.warn({ err: error }, 'could not note in the audit who sent'))
}

/** Unless another call has put another body under this key meanwhile: that one counts. */
async function giveBack({ histories, quota }: AcceptDeps, ref: HistoryRef): Promise<void> {
  if ((await histories.accepted(ref)).digest === undefined) await quota.giveBack(ref)
}

async function attemptAsync(draft: Draft, step: () => Promise<void>): Promise<void> {
  await step().catch((error: Error) => {
    draft.answer = error
  })
}

const isCreated = ({ answer }: Draft) => answer !== undefined && 'created' in answer && answer.created

/** It was certainly not accepted, and will not be. */
const isRefusal = (answer: Draft['answer']) => answer instanceof Problem && answer.status < 500

const sourceOf = ({ body }: Offer, by: Caller) => by.source ?? body.source

/** @throws Problem 422 */
function setTimes(draft: Draft, now: number): void {
  const { body } = draft.offer
  draft.dueMs = dueOfMessage(body, draft.event, now)
  draft.expiresMs = expiryOf(body, draft.dueMs, now)
  tellingWhose(draft.stepsOf, () => requireInTime(body.steps, draft.dueMs, draft.expiresMs, now))
}

function putInputOf(
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

/** @throws Problem 422 `empty-audience`, or why it cannot be written to */
function somebodyIn(audience: PackedAudience | Error): PackedAudience {
  if (audience instanceof Error) throw audience
  if (audience.size > 0) return audience
  throw new Problem(422, 'empty-audience', 'nobody is in this audience', 'to')
}

/** @throws Problem 409 `audience-mismatch` */
async function requireExpected(audience: PackedAudience, { expect }: MessageBody): Promise<void> {
  const { size } = audience
  if (expect?.size !== undefined && expect.size !== size) {
    const detail = `the audience has ${size} people, not ${expect.size}`
    throw new Problem(409, 'audience-mismatch', detail, 'expect.size')
  }
  if (expect?.sha256 !== undefined) {
    const sha256 = await hashOfAudience(audience)
    const detail = `the audience (${size} people) has the SHA-256 ${sha256}, not ${expect.sha256}`
    if (sha256 !== expect.sha256) throw new Problem(409, 'audience-mismatch', detail, 'expect.sha256')
  }
}
