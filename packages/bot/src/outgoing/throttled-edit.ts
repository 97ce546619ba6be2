/** One message of a chat that is edited again and again: the latest text wins, no faster than Telegram allows. */
import { sleep } from '@courier-fleet/process'

export interface ThrottledEdit {
  /** Shows this text soon, unless a later one comes before. */
  write(text: string): void
  /** Shows the last text; resolves when it is there. */
  finish(text: string): Promise<void>
}

export interface ThrottledEditDeps {
  /** edits the message */
  put(text: string): Promise<void>
  /** between two edits */
  readonly everyMs: number
  readonly signal: AbortSignal
  /** told of an edit that failed; a later text is written all the same */
  onTrouble(error: unknown): void
}

export function createThrottledEdit({ put, everyMs, signal, onTrouble }: ThrottledEditDeps): ThrottledEdit {
  const finishing = new AbortController()
  let latest: string | undefined
  let shown: string | undefined
  let writing: Promise<void> | undefined

  async function writeLatest(): Promise<void> {
    while (latest !== undefined && latest !== shown && !signal.aborted && !finishing.signal.aborted) {
      const text = latest
      await put(text)
      shown = text
      await sleep(everyMs, signal, finishing.signal)
    }
  }

  return {
    write(text) {
      latest = text
      writing ??= writeLatest()
        .catch(onTrouble)
        .finally(() => {
          writing = undefined
        })
    },
    async finish(text) {
      finishing.abort()
      await writing
      if (shown !== text) await put(text)
    },
  }
}
