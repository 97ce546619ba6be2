/** How far the updates of a bot have been handled, kept so that after a crash none is skipped. */
import type { Log } from '@courier-fleet/process'
import type { Api } from 'telegram'

/** How far the stream of updates goes: Telegram's own counters. */
export interface UpdatePosition {
  readonly pts: number
  readonly qts: number
  /** Unix s */
  readonly date: number
}

export interface PositionStore {
  load(): UpdatePosition | undefined
  save(position: UpdatePosition): void
}

export interface ProgressDeps {
  /** Handles one update. After a crash it may come again; it never comes twice in one run, unless Telegram counts anew. */
  handle(update: Api.TypeUpdate): Promise<void>
  readonly positions: PositionStore
  readonly log: Log
}

export interface UpdateProgress {
  /** of what was taken in, handled or being handled; undefined before the first */
  readonly position: UpdatePosition | undefined
  /** Begins to handle these, with which the stream goes as far as `reached`. */
  takeIn(updates: readonly Api.TypeUpdate[], reached: UpdatePosition): void
  /** Resolves when nothing is being handled. */
  settled(): Promise<void>
  /** Saves no position any more. */
  stop(): void
}

interface Handling {
  readonly done: Promise<void>
  isDone: boolean
  /** saved once this and everything before it is done */
  readonly position: UpdatePosition
}

export function createUpdateProgress({ handle, positions, log }: ProgressDeps): UpdateProgress {
  let position = positions.load()
  let stopped = false
  const underWay: Handling[] = []

  /** The position before what is still being handled: a crash must not lose that. */
  function save(): void {
    if (stopped) return
    let reached: UpdatePosition | undefined
    while (underWay[0]?.isDone) reached = underWay.shift()?.position
    if (reached) positions.save(reached)
  }

  const complain = (error: unknown) => log.error({ err: error }, 'could not handle what somebody wrote')

  return {
    get position() {
      return position
    },
    takeIn(updates, reached) {
      position = reached
      const done = Promise.all(updates.map((update) => handle(update).catch(complain))).then(() => {
        handling.isDone = true
        save()
      })
      const handling: Handling = { done, isDone: false, position: reached }
      underWay.push(handling)
    },
    async settled() {
      while (underWay.length > 0) await underWay[0]?.done
    },
    stop() {
      stopped = true
    },
  }
}
