/**
 * Defect: gramjs takes updates as they are pushed and never notices that some are missing; whatever happened while the
 * connection was down is lost. Here Telegram's own rule is kept (core.telegram.org/api/updates): every event counts on a
 * counter, `pts`; one that leaves a gap is held back, and what is missing is asked for.
 */
import type { Log } from '@courier-fleet/process'
import bigInt from 'big-integer'
import { Api } from 'telegram'

/** How far the stream of events has been dealt with. */
export interface Mark {
  readonly pts: number
  readonly qts: number
  /** Unix s */
  readonly date: number
}

export interface MarkStore {
  load(): Mark | undefined
  save(mark: Mark): void
}

export interface FeedDeps {
  ask(request: Api.AnyRequest): Promise<unknown>
  /** Deals with one event. After a crash it may come again; it never comes twice in one life, unless Telegram counts anew. */
  deal(update: Api.TypeUpdate): Promise<void>
  marks: MarkStore
  log: Log
}

export interface UpdateFeed {
  /** of a LinkListener */
  onUpdates(updates: Api.TypeUpdates): void
  /** Asks for what was missed; to be called after every connection, and now and then. */
  catchUp(): void
  /** Resolves when everything taken in has been dealt with. */
  settled(): Promise<void>
  /** Takes nothing in any more; what is still being dealt with comes again after the next start. */
  stop(): void
}

interface Dealing {
  readonly done: Promise<void>
  isDone: boolean
  /** to be remembered once this and everything before it is done */
  readonly mark: Mark
}

export function createUpdateFeed({ ask, deal, marks, log }: FeedDeps): UpdateFeed {
  /** how far it has been taken in; behind it what is being dealt with */
  let mark = marks.load()
  let catching: Promise<void> | undefined
  let askAgain = false
  let stopped = false
  const held: Api.TypeUpdate[] = []
  const dealings: Dealing[] = []

  function hand(updates: readonly Api.TypeUpdate[], reached: Mark): void {
    mark = reached
    const done = Promise.all(updates.map((update) => deal(update).catch(complain))).then(() => {
      dealing.isDone = true
      remember()
    })
    const dealing: Dealing = { done, isDone: false, mark: reached }
    dealings.push(dealing)
  }

  /** A crash must not lose what is still being dealt with: the mark stays before it. */
  function remember(): void {
    if (stopped) return
    let reached: Mark | undefined
    while (dealings[0]?.isDone) reached = dealings.shift()?.mark
    if (reached) marks.save(reached)
  }

  const complain = (error: unknown) => log.error({ err: error }, 'could not deal with what somebody wrote')

  function take(update: Api.TypeUpdate): void {
    if (stopped) return
    if (!mark || catching) {
      held.push(update)
      return
    }
    const { pts, ptsCount } = update as { pts?: number; ptsCount?: number }
    if (pts === undefined || ptsCount === undefined) hand([update], mark)
    else if (pts === mark.pts + ptsCount) hand([update], { ...mark, pts })
    else if (pts > mark.pts + ptsCount) catchUp()
  }

  function catchUp(): void {
    if (stopped) return
    askAgain = true
    catching ??= fetchMissed().finally(() => {
      catching = undefined
      for (const update of held.splice(0)) take(update)
    })
  }

  async function fetchMissed(): Promise<void> {
    while (askAgain) {
      askAgain = false
      try {
        await fetchOnce()
      } catch (error) {
        // the next connection asks again, and so does the next event that leaves a gap
        log.warn({ reason: (error as Error).message }, 'cannot ask for what was missed')
      }
    }
  }

  async function fetchOnce(): Promise<void> {
    const state = (await ask(new Api.updates.GetState())) as Api.updates.State
    const { pts, qts, date } = state
    if (mark && pts < mark.pts) log.warn({ pts, known: mark.pts }, 'Telegram counts anew; what came before is gone')
    if (!mark || pts < mark.pts) {
      hand([], { pts, qts, date })
      return
    }
    for (;;) {
      const answer = (await ask(new Api.updates.GetDifference(mark))) as Api.updates.TypeDifference
      if (answer instanceof Api.updates.DifferenceEmpty) return
      if (answer instanceof Api.updates.DifferenceTooLong) {
        hand([], { ...mark, pts: answer.pts })
        continue
      }
      const isLast = answer instanceof Api.updates.Difference
      const reached = isLast ? answer.state : answer.intermediateState
      const messages = answer.newMessages.map(
        (message) => new Api.UpdateNewMessage({ message, pts: reached.pts, ptsCount: 0 }),
      )
      hand([...messages, ...answer.otherUpdates], { pts: reached.pts, qts: reached.qts, date: reached.date })
      if (isLast) return
    }
  }

  return {
    catchUp,
    onUpdates(updates) {
      if (updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined) updates.updates.forEach(take)
      else if (updates instanceof Api.UpdateShort) take(updates.update)
      else if (updates instanceof Api.UpdateShortMessage) take(inFull(updates))
      else if (updates instanceof Api.UpdatesTooLong) catchUp()
    },
    stop() {
      stopped = true
    },
    async settled() {
      while (catching || dealings.length > 0) await (catching ?? dealings[0]?.done)
    },
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
