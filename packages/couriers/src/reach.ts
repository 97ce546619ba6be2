/**
 * The readiness of a courier that has no standing connection: it is ready once its provider answers. When something could not be
 * sent, for there was no way to the provider, the provider is asked again and again until it answers.
 */
import { type Log, sleep } from '@courier-fleet/process'
import type { OwnReadiness } from './readiness.ts'

export interface ReachDeps<Answer> {
  readonly readiness: OwnReadiness
  /** Asks for something that does no harm. @returns whatever the provider says, or why it says nothing; must not reject */
  readonly ask: (signal: AbortSignal) => Promise<{ readonly answer: Answer } | { readonly why: string }>
  readonly retryMs: number
  readonly log: Log
}

export interface Reach<Answer> {
  /** Resolves with the provider's first answer, and is ready then. @throws when `signal` is aborted */
  until(signal: AbortSignal): Promise<Answer>
  /** Not ready from now on, until the provider answers again. */
  lose(why: string): void
  stop(): void
}

export function createReach<Answer>({ readiness, ask, retryMs, log }: ReachDeps<Answer>): Reach<Answer> {
  const stopping = new AbortController()

  async function until(signal: AbortSignal): Promise<Answer> {
    for (;;) {
      const asked = await ask(signal)
      signal.throwIfAborted()
      if ('answer' in asked) {
        readiness.ready()
        return asked.answer
      }
      log.warn({ why: asked.why }, 'the provider cannot be reached; trying again')
      readiness.lose(asked.why)
      await sleep(retryMs, signal)
    }
  }

  return {
    until,
    lose(why) {
      const wasReady = readiness.notReady() === undefined
      readiness.lose(why)
      if (wasReady) until(stopping.signal).catch(() => {}) // told to stop
    },
    stop: () => stopping.abort(),
  }
}
