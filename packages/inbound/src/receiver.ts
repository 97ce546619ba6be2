/** What the folder of a channel exports, and what it is given. */
import type { Clock, Env, Log } from '@courier-fleet/process'
import type { Answers } from './answers.ts'
import type { Fleet } from './fleet.ts'
import type { SetAside } from './set-aside.ts'

/** Takes the texts of one channel, or of one way into it. */
export interface Receiver {
  /**
   * Resolves when it takes texts; a provider that is away is waited for.
   * @param signal aborted when the process is told to stop
   * @throws Error in one line when the provider refuses the credentials
   */
  start(signal: AbortSignal): Promise<void>
  /** Resolves when what was begun is done. */
  stop(): Promise<void>
}

export interface ReceiverDeps {
  readonly channel: string
  /** for the settings of the channel itself */
  readonly env: Env
  /** files of this process alone */
  readonly dataDir: string
  readonly fleet: Fleet
  readonly answers: Answers
  readonly setAside: SetAside
  readonly clock: Clock
  readonly log: Log
}

/** Connects to nothing yet. @throws Error in one line that names the setting that is missing or wrong */
export type CreateReceiver = (deps: ReceiverDeps) => Receiver
