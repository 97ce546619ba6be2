import { FloodWaitError, SlowModeWaitError } from 'telegram/errors/index.js'

export interface FloodWait {
  readonly seconds: number
  /** Telegram's own word for it; gramjs says `FLOOD` for all of them */
  readonly text: string
  /** slow mode is always the chat's own */
  readonly ofChat: boolean
}

/** Defect: the text of a flood error of gramjs is `FLOOD`, and FLOOD_WAIT_n cannot be told from it; the seconds are kept apart. */
export function floodWaitOf(error: unknown): FloodWait | undefined {
  if (error instanceof FloodWaitError) {
    return { seconds: error.seconds, text: `FLOOD_WAIT_${error.seconds}`, ofChat: false }
  }
  if (error instanceof SlowModeWaitError) {
    return { seconds: error.seconds, text: `SLOWMODE_WAIT_${error.seconds}`, ofChat: true }
  }
  return undefined
}
