/** One round of a send job: everyone once, as the window and the provider allow. */
import { receiptBytes } from '@courier-fleet/api-types'
import { type Clock, sleep } from '@courier-fleet/process'
import type { Figures } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import type { SharedPacer } from '../pace/pacer.ts'
import { handOver } from './hand-over.ts'
import type { InFlightWindow } from './in-flight-window.ts'
import { mark } from './mark.ts'
import { openReceipt } from './open-receipt.ts'
import { askByte } from './outcome-meaning.ts'
import { type Attempt, applyOutcomes, indexIds, type OutcomesDeps } from './outcomes.ts'
import type { Note, ReceiptWriter } from './receipt-writer.ts'
import { hasCome, maxWaitMs, type Recipient } from './recipients.ts'

export interface SendDeps extends OutcomesDeps {
  readonly courier: Courier
  readonly window: InFlightWindow | undefined
  readonly writer: ReceiptWriter
  readonly pacer: SharedPacer
  readonly figures: Figures
  readonly clock: Clock
  /** aborted: finish what is in flight, hand back the rest; the process is to end, or the courier is not ready */
  readonly handBack: AbortSignal
  /** aborted: the courier gives up, and what it knows is written */
  readonly killed: AbortSignal
}

/** @returns who must wait, and until when */
export async function sendRound(round: readonly Recipient[], deps: SendDeps): Promise<Recipient[]> {
  const { courier, window, writer, pacer, handBack } = deps
  const sent: Promise<Recipient[]>[] = []
  let rest = round
  while (rest.length > 0) {
    const pausedMs = await writer.retryUntilGone(() => pacer.pausedForMs())
    if (handBack.aborted || pausedMs > maxWaitMs) {
      const waiting = (await Promise.all(sent)).flat()
      return [...waiting, ...(await putOff(rest, handBack.aborted ? 0 : pausedMs, deps))]
    }
    await sleep(pausedMs, handBack)
    if (window) {
      rest = await sendThroughWindow(rest, window, deps, sent)
    } else {
      // how many it is may change while they are sent: nobody is passed over by that
      const batch = rest.slice(0, courier.batchSize)
      rest = rest.slice(batch.length)
      sent.push(Promise.resolve(await sendTogether(batch, deps)))
    }
  }
  return (await Promise.all(sent)).flat()
}

/** What was decided of them holds no more: the text is another one, their quiet hours have begun, or a recheck is too old. Whoever is not marked is decided anew. */
const isOutdated = ({ buffer, receipt, quietFromMs, recheckedUntilMs }: Recipient, nowMs: number): boolean =>
  buffer.isOutdated || (receipt === 'pending' && (hasCome(quietFromMs, nowMs) || hasCome(recheckedUntilMs, nowMs)))

/** So it is of whoever was marked too late, where Redis took its time: they are given back their mark. */
const isMarkedTooLate = ({ receipt, recheckedUntilMs }: Recipient, nowMs: number): boolean =>
  receipt === 'pending' && hasCome(recheckedUntilMs, nowMs)

/**
 * All in one write, and sent to once replicas have it: another master would know nothing of whoever was sent to, and confirm that they were not. Their
 * answers go with whatever is written next. @returns who must wait
 */
async function sendTogether(batch: readonly Recipient[], deps: SendDeps): Promise<Recipient[]> {
  const { writer, clock } = deps
  const beganAt = clock.now()
  const outdated = batch.filter((recipient) => isOutdated(recipient, beganAt))
  const wanted = outdated.length > 0 ? batch.filter((recipient) => !outdated.includes(recipient)) : batch
  const standing = await mark(wanted, receiptBytes.attempting, writer)
  const marked: Recipient[] = []
  for (let index = 0; index < wanted.length; index += 1) {
    const receipt = openReceipt(standing[index])
    if (receipt === 'attempting') marked.push(wanted[index] as Recipient)
    if (receipt === 'pending') outdated.push(wanted[index] as Recipient)
  }
  const isKept = marked.length === 0 || (await writer.isKept(new Set(marked.map(({ buffer }) => buffer))))
  const keptAt = clock.now()
  const late = isKept ? marked.filter((recipient) => isMarkedTooLate(recipient, keptAt)) : marked
  giveBack(late, isKept ? 0 : keptAt + notKeptMs)
  const granted = late.length > 0 ? marked.filter((recipient) => !late.includes(recipient)) : marked
  if (granted.length === 0) return [...outdated, ...late]
  const attempt = await measuredSend(granted, deps)
  const [waiting] = await Promise.all([
    applyOutcomes(attempt, deps, (note) => note.buffer.set(note)),
    indexIds(attempt, deps),
  ])
  return [...outdated, ...late, ...waiting]
}

/** before replicas are asked again that did not answer */
const notKeptMs = 500

/** The marks that these were given; who was marked before may have been sent to, and stays so. */
function giveBack(marked: readonly Recipient[], notBefore: number): void {
  for (const recipient of marked) {
    const { receipt, buffer, ordinal, cost } = recipient
    if (receipt === 'pending') buffer.set({ ordinal, cost, byte: receiptBytes.pending })
    recipient.notBefore = Math.max(recipient.notBefore, notBefore)
  }
}

/** Each as soon as there is a slot. @returns who got none; `sent` gets the others, each with who must wait */
async function sendThroughWindow(
  rest: readonly Recipient[],
  window: InFlightWindow,
  deps: SendDeps,
  sent: Promise<Recipient[]>[],
): Promise<readonly Recipient[]> {
  const { writer, pacer, handBack, clock } = deps
  const holder = {
    write: writer.write,
    isHeldUp: () => pacer.isPaused(),
    passesOver(recipient: Recipient) {
      const isLeftOut = isOutdated(recipient, clock.now())
      if (isLeftOut) sent.push(Promise.resolve([recipient]))
      return isLeftOut
    },
    putBack: (recipients: readonly Recipient[]) => void sent.push(Promise.resolve([...recipients])),
    send(granted: readonly Recipient[]) {
      for (const recipient of granted) {
        const sending = sendOne(recipient, window, deps)
        sending.catch(() => {}) // thrown when all are awaited
        sent.push(sending)
      }
    },
  }
  return window.acquire(rest, holder, handBack)
}

/** It has its slot, and gives it back with its answer. @returns who must wait */
async function sendOne(recipient: Recipient, window: InFlightWindow, deps: SendDeps): Promise<Recipient[]> {
  const { writer, clock } = deps
  const notes: Note[] = []
  let attempt: Attempt | undefined
  try {
    if (isMarkedTooLate(recipient, clock.now())) {
      const { buffer, ordinal, cost } = recipient
      notes.push({ buffer, ordinal, cost, byte: receiptBytes.pending })
      return [recipient]
    }
    attempt = await measuredSend([recipient], deps)
    return await applyOutcomes(attempt, deps, (note) => notes.push(note))
  } finally {
    // first of all the slot: others wait for it
    await Promise.all([window.release(notes, 1, writer), attempt && indexIds(attempt, deps)])
  }
}

async function measuredSend(batch: readonly Recipient[], deps: SendDeps): Promise<Attempt> {
  const { courier, figures, clock, killed } = deps
  const triedAt = clock.now()
  const outcomes = await handOver(batch, courier, killed)
  figures.measure('provider_seconds', [courier.channel], (clock.now() - triedAt) / 1000)
  for (const outcome of outcomes)
    if (outcome.kind === 'sent' && outcome.by) {
      const { account, isTakenOver } = outcome.by
      figures.count('account_people', [courier.channel, account, isTakenOver ? 'taken-over' : 'own'])
    }
  return { batch, outcomes, triedAt }
}

/** Those of a message that was neither cancelled nor has expired: nobody else is worth a later wave. */
async function putOff(rest: readonly Recipient[], waitMs: number, deps: SendDeps): Promise<Recipient[]> {
  const { writer, clock } = deps
  const standing = await mark(rest, askByte, writer)
  const wanted = rest.filter((_recipient, index) => openReceipt(standing[index]) !== undefined)
  const notBefore = clock.now() + waitMs
  for (const recipient of wanted) recipient.notBefore = notBefore
  return wanted
}
