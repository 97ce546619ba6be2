import { ApiError, type Client, UnreachableError } from '@courier-fleet/client'
import { type Log, sleep } from '@courier-fleet/process'

const retryMs = 500

/** Resolves once the API answers this key as an entrance's. @throws Error when it is another key, or none that is known */
export async function untilWelcome(client: Client, { log, signal }: { log: Log; signal: AbortSignal }): Promise<void> {
  for (let told = false; !signal.aborted; told = true) {
    try {
      await client.whoIsCalling()
      throw new Error('the API key is a person’s; an entrance needs one of the role entrance')
    } catch (error) {
      const status = error instanceof ApiError ? error.problem.status : undefined
      // by itself an entrance is nobody
      if (status === 403) return
      if (status === 401) throw new Error('the API does not know this API key')
      if (!(error instanceof UnreachableError) && !(status !== undefined && status >= 500)) throw error
      if (!told) log.info('waiting for the API')
      await sleep(retryMs, signal)
    }
  }
}
