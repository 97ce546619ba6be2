/** From validated bodies to accepted messages. */
import {
  type HistoryRef,
  historyKeyOf,
  type MessageBody,
  type MessageType,
  Problem,
  rulesIn,
  typeOf,
} from '@courier-fleet/api-types'
import { allOf } from '@courier-fleet/process'
import { idsOf, isCluster, type Put, type Settings } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import { audienceOf, type PlannedMessage } from '../plan/forecast.ts'
import { findAudiences, namedBy, readAddressees } from './audience.ts'
import { requirePriced } from './check-ceiling.ts'
import { requireAllowedRecheck } from './check-recheck.ts'
import { requireAllowedRules } from './check-rules.ts'
import { channelsIn, requireInTime, requireTellable } from './check-steps.ts'
import {
  type AcceptDeps,
  type Accepted,
  type Draft,
  newDraft,
  type Offer,
  type Step,
  settled,
  stepThrough,
} from './draft.ts'
import { type AskingWords, requireFittingText } from './fitting-text.ts'
import { requireKnownChannels } from './known-channels.ts'
import { filledFromTemplate } from './message-template.ts'
import { putInputOf, sourceOf } from './put-input.ts'
import { linesOfEach, oneLineOfAll, type SentLines } from './sent-lines.ts'
import { tellingWhose, withStepsOfType } from './steps-of-type.ts'
import { dueOfMessage, endOfSending, expiryOf } from './times.ts'
import { createTogether, isBrief } from './together.ts'
import { wasCancelled } from './was-cancelled.ts'
import { requireInAudience, requireValues, writtenOf } from './written-text.ts'

export interface AcceptMessages {
  /**
   * Accepts a message; the same offer again changes nothing, even when the directory is another by now or `at` has passed.
   * @throws Problem 403 · 404 `unknown-key` · 409 `another-body` `cancelled` `audience-mismatch` · 422 · 429 `quota`
   */
  one(offer: Offer, by: Caller): Promise<Accepted>
  /** Many of one sender, each for itself. @returns of each, in order, what one() would return or throw */
  many(offers: readonly Offer[], by: Caller): Promise<(Accepted | Error)[]>
}

export function createAcceptMessages(deps: AcceptDeps): AcceptMessages {
  async function acceptAll(drafts: readonly Draft[], by: Caller, lines: SentLines): Promise<void> {
    for (let tries = 1; tries === 1 || (tries <= maxTries && reopenMoved(drafts)); tries += 1) {
      // a step that all drafts share fails for all of them, when Redis is away
      await accept(deps, drafts, by, lines).catch((error: Error) => {
        for (const draft of drafts) draft.answer ??= error
      })
    }
  }
  const together = createTogether((drafts, by) => acceptAll(drafts, by, linesOfEach))
  // of a cluster one node may be away, and what is said to another is not to wait for it
  const mayJoin = !isCluster(deps.redis)

  return {
    async many(offers, by) {
      const drafts = offers.map(newDraft)
      await acceptAll(drafts, by, oneLineOfAll)
      return drafts.map(({ answer }) => answer as Accepted | Error)
    },
    async one(offer, by) {
      const draft = newDraft(offer)
      await (mayJoin && isBrief(offer) ? together(draft, by) : acceptAll([draft], by, linesOfEach))
      if (draft.answer instanceof Error) throw draft.answer
      return draft.answer as Accepted
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

async function accept(deps: AcceptDeps, drafts: readonly Draft[], by: Caller, lines: SentLines): Promise<void> {
  const { clock, redisRoom, settings, directory, quota } = deps
  const open = () => drafts.filter(({ answer }) => answer === undefined)
  const each = (...steps: readonly Step[]) => stepThrough(drafts, ...steps)
  const now = clock.now()
  await each((draft) => (draft.offer.repeatable ? answerRepeat(deps, draft, by) : undefined))
  if (open().length > 0) await redisRoom.require()
  await each(
    (draft) => draft.offer.body.template && readTemplate(deps, draft),
    (draft) => judgeBody(deps, settings.current(), draft, by),
    (draft) => draft.offer.body.event !== undefined && readEvent(deps, draft, by),
    (draft) => setTimes(draft, now),
    (draft) => draft.offer.body.files && readFiles(deps, draft, by),
  )
  await readAddressees(deps, open(), by)
  await Promise.all([nameSender(deps, open(), by), findAudiences(deps, open(), by)])
  await each(
    (draft) => requireInAudience(draft.written, draft.audience),
    (draft) => draft.written.personal && requireValues(directory, draft.written, draft.audience),
    (draft) => requireFittingText(deps, channelsIn(draft.offer.body), wordsIn(draft)),
    (draft) => foresee(deps, draft, by),
    (draft) => warn(deps, draft),
    (draft) => deps.allowances.isStorageLimited(by) && countStored(deps, draft, by),
  )
  if (quota.isLimited(by)) await reserveQuota(deps, drafts, by)
  await makeSecret(deps, drafts)
  await each((draft) => draft.files && keepFiles(deps, draft))
  await put(deps, open(), by, lines)
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
  if (made) await stepThrough(drafts, (draft) => needsSecret(draft) && made)
}

async function answerRepeat(deps: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { ref, reminder, isOnlyAbout } = draft.offer
  const { digest, cancelledMs } = await deps.histories.accepted(ref)
  if (digest === undefined) return reminder === undefined ? undefined : answerReminder(deps, draft, reminder, by)
  if (digest !== draft.digest) {
    if (isOnlyAbout) throw anotherReminder(ref)
    throw new Problem(409, 'another-body', 'another message was accepted under this key', 'key')
  }
  if (cancelledMs !== undefined) {
    throw isOnlyAbout
      ? wasCancelled(cancelledMs, 'ask again', 'about')
      : wasCancelled(cancelledMs, 'put it under a new key')
  }
  await answerAsBefore(deps, draft, ref, by)
}

/** Where the sender has another reminder about the same. @throws Problem 409 `another-reminder` where that is not the same message */
async function answerReminder(deps: AcceptDeps, draft: Draft, reminder: string, by: Caller): Promise<void> {
  const theirs = await deps.histories.reminder(draft.offer.ref, reminder)
  if (!theirs) return
  if ((await deps.histories.accepted(theirs)).digest !== draft.digest) throw anotherReminder(theirs)
  await answerAsBefore(deps, draft, theirs, by)
}

function anotherReminder(theirs: HistoryRef): Problem {
  const detail = `there is another about it, ${historyKeyOf(theirs)}, and nothing has changed: move it (PATCH) or cancel it (DELETE) first`
  return new Problem(409, 'another-reminder', detail, 'about')
}

async function answerAsBefore({ quota }: AcceptDeps, draft: Draft, ref: HistoryRef, by: Caller): Promise<void> {
  draft.answer = { ref, created: false, quotaLeft: (await quota.limits(by)).left ?? undefined }
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
  await stepThrough(drafts, async (draft) => {
    draft.quotaLeft = await quota.reserve(draft.offer.ref, by)
  })
}

async function put(deps: AcceptDeps, drafts: readonly Draft[], by: Caller, lines: SentLines): Promise<void> {
  const { types } = deps.settings.current()
  const outcomes = await deps.histories.putMany(drafts.map((draft) => putInputOf(deps, types, draft, by)))
  for (const [index, draft] of drafts.entries()) {
    const outcome = outcomes[index] as Put | Error
    draft.answer = outcome instanceof Error ? outcome : acceptedOf(draft, outcome)
  }
  await allOf(drafts.filter(isReminder).map((draft) => answerLost(deps, draft, by)))
  const created = drafts.filter(isCreated)
  deps.metrics.countAccepted(created.map(({ offer }) => ({ class: offer.body.class, source: sourceOf(offer, by) })))
  await tellAudit(deps, lines(created, by))
  const counted = drafts.filter(({ quotaLeft, answer, offer }) => {
    return quotaLeft !== undefined && (isRefusal(answer) || (answer as Accepted).ref !== offer.ref)
  })
  await allOf(counted.map(({ offer }) => giveBack(deps, offer.ref)))
}

function acceptedOf({ offer: { ref }, quotaLeft, audience, expiresMs, plan }: Draft, put: Put): Accepted {
  return put.created ? { ref, quotaLeft, ...put, audience, expiresMs, plan } : { ref, quotaLeft, ...put }
}

const isReminder = ({ offer }: Draft) => offer.reminder !== undefined

/** Another call was faster with a reminder about the same: what it was answered holds for this one, too. */
async function answerLost(deps: AcceptDeps, draft: Draft, by: Caller): Promise<void> {
  const { answer, offer } = draft
  if (offer.reminder === undefined || !(answer instanceof Problem)) return
  // both went by the same latest reminder, and so by the same id
  if (offer.isOnlyAbout && answer.code === 'another-body') draft.answer = anotherReminder(offer.ref)
  if (answer.code === 'another-reminder') await settled(draft, answerReminder(deps, draft, offer.reminder, by))
}

/** Should Redis be away by now, the histories say who sent them. */
async function tellAudit({ audit, log }: AcceptDeps, lines: ReturnType<SentLines>): Promise<void> {
  await allOf(lines.map(audit.write)).catch((error: unknown) => {
    log.warn({ err: error }, 'could not note in the audit who sent')
  })
}

/** Unless another call has put another body under this key meanwhile: that one counts. */
async function giveBack({ histories, quota }: AcceptDeps, ref: HistoryRef): Promise<void> {
  if ((await histories.accepted(ref)).digest === undefined) await quota.giveBack(ref)
}

const isCreated = ({ answer }: Draft) => answer !== undefined && 'created' in answer && answer.created

/** It was certainly not accepted, and will not be. */
const isRefusal = (answer: Draft['answer']) => answer instanceof Problem && answer.status < 500

/** @throws Problem 422 */
function setTimes(draft: Draft, now: number): void {
  const { body } = draft.offer
  draft.dueMs = dueOfMessage(body, draft.event, now)
  draft.expiresMs = expiryOf(body, draft.dueMs, now)
  tellingWhose(draft.stepsOf, () => requireInTime(body.steps, draft.dueMs, draft.expiresMs, now))
}
