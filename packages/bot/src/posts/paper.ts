import { sleep } from '@courier-fleet/process'

/** One message that is written over and over: the latest text wins, no faster than Telegram likes. */
export interface Paper {
  write(text: string): void
  /** Writes the last of it; resolves when it stands there. */
  finish(text: string): Promise<void>
}

export interface PaperDeps {
  put(text: string): Promise<void>
  readonly everyMs: number
  readonly signal: AbortSignal
  onTrouble(error: unknown): void
}

export function createPaper({ put, everyMs, signal, onTrouble }: PaperDeps): Paper {
  const hurry = new AbortController()
  let wanted: string | undefined
  let stands: string | undefined
  let writing: Promise<void> | undefined

  async function keepWriting(): Promise<void> {
    while (wanted !== undefined && wanted !== stands && !signal.aborted && !hurry.signal.aborted) {
      const text = wanted
      await put(text)
      stands = text
      await sleep(everyMs, signal, hurry.signal)
    }
  }

  return {
    write(text) {
      wanted = text
      writing ??= keepWriting()
        .catch(onTrouble)
        .finally(() => {
          writing = undefined
        })
    },
    async finish(text) {
      hurry.abort()
      await writing
      if (stands !== text) await put(text)
    },
  }
}
