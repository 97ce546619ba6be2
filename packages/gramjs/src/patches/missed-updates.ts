/**
 * Defect: gramjs takes updates as they are pushed and never notices that some are missing; whatever happened while the
 * connection was down is lost. Here Telegram's own rule is kept (core.telegram.org/api/updates): every event counts on a
 * counter, `pts` (who blocked a bot on another, `qts`); one that leaves a gap is held back, and what is missing is asked for.
 */
import bigInt from 'big-integer'
import { Api } from 'telegram'
import { createUpdateProgress, type ProgressDeps, type UpdateProgress } from './update-progress.ts'

export interface FeedDeps extends ProgressDeps {
  ask(request: Api.AnyRequest): Promise<unknown>
  /** Told of the people that updates name, before these are handled. */
  onUsers?(users: readonly Api.TypeUser[]): void
}

export interface UpdateFeed {
  /** of a TelegramConnection */
  onUpdates(updates: Api.TypeUpdates): void
  /** Asks for what was missed; to be called after every connection, and now and then. */
  catchUp(): void
  /** Resolves when everything taken in has been handled. */
  settled(): Promise<void>
  /** Takes nothing in any more; what is still being handled comes again after the next start. */
  stop(): void
}

export function createUpdateFeed(deps: FeedDeps): UpdateFeed {
  const { log, onUsers } = deps
  const progress = createUpdateProgress(deps)
  let fetching: Promise<void> | undefined
  let askAgain = false
  let stopped = false
  const held: Api.TypeUpdate[] = []

  function take(update: Api.TypeUpdate): void {
    if (stopped) return
    const { position } = progress
    if (!position || fetching) {
      held.push(update)
      return
    }
    const { pts, ptsCount, qts } = update as { pts?: number; ptsCount?: number; qts?: number }
    if (qts !== undefined && qts > position.qts + 1) catchUp()
    else if (qts !== undefined && qts === position.qts + 1) progress.takeIn([update], { ...position, qts })
    else if (qts !== undefined) return
    else if (pts === undefined || ptsCount === undefined) progress.takeIn([update], position)
    else if (pts === position.pts + ptsCount) progress.takeIn([update], { ...position, pts })
    else if (pts > position.pts + ptsCount) catchUp()
  }

  function catchUp(): void {
    if (stopped) return
    askAgain = true
    fetching ??= fetchMissed().finally(() => {
      fetching = undefined
      for (const update of held.splice(0)) take(update)
    })
  }

  async function fetchMissed(): Promise<void> {
    while (askAgain) {
      askAgain = false
      try {
        await takeInMissed(progress, deps)
      } catch (error) {
        // the next connection asks again, and so does the next event that leaves a gap
        log.warn({ reason: (error as Error).message }, 'cannot ask for what was missed')
      }
    }
  }

  return {
    catchUp,
    onUpdates(updates) {
      if (updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined) {
        onUsers?.(updates.users)
        updates.updates.forEach(take)
      } else if (updates instanceof Api.UpdateShort) take(updates.update)
      else if (updates instanceof Api.UpdateShortMessage) take(inFull(updates))
      else if (updates instanceof Api.UpdatesTooLong) catchUp()
    },
    stop() {
      stopped = true
      progress.stop()
    },
    async settled() {
      do {
        await fetching
        await progress.settled()
      } while (fetching)
    },
  }
}

/** Asks for everything behind the position, or, where that says nothing to Telegram, begins at its present state. */
async function takeInMissed(
  progress: UpdateProgress,
  { ask, log, onUsers }: Pick<FeedDeps, 'ask' | 'log' | 'onUsers'>,
): Promise<void> {
  const { pts, qts, date } = (await ask(new Api.updates.GetState())) as Api.updates.State
  const known = progress.position
  const isAnew = known !== undefined && (pts < known.pts || qts < known.qts)
  if (isAnew) log.warn({ pts, qts, known }, 'Telegram counts anew; what came before is gone')
  if (!known || isAnew) return progress.takeIn([], { pts, qts, date })
  for (let position = known; ; position = progress.position ?? position) {
    const answer = (await ask(new Api.updates.GetDifference(position))) as Api.updates.TypeDifference
    if (answer instanceof Api.updates.DifferenceEmpty) return
    if (answer instanceof Api.updates.DifferenceTooLong) {
      progress.takeIn([], { ...position, pts: answer.pts })
      continue
    }
    onUsers?.(answer.users)
    const isLast = answer instanceof Api.updates.Difference
    const reached = isLast ? answer.state : answer.intermediateState
    const messages = answer.newMessages.map(
      (message) => new Api.UpdateNewMessage({ message, pts: reached.pts, ptsCount: 0 }),
    )
    progress.takeIn([...messages, ...answer.otherUpdates], { pts: reached.pts, qts: reached.qts, date: reached.date })
    if (isLast) return
  }
}

/** Telegram abbreviates a plain message in a private chat. */
function inFull({ out, id, userId, message, date, pts, ptsCount }: Api.UpdateShortMessage): Api.UpdateNewMessage {
  const peerId = new Api.PeerUser({ userId: bigInt(userId) })
  return new Api.UpdateNewMessage({
    message: new Api.Message({ out: out ?? false, id, peerId, message, date }),
    pts,
    ptsCount,
  })
}
