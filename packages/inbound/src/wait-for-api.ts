import { ApiError, type Client, UnreachableError } from '@courier-fleet/client'
import { type Log, sleep } from '@courier-fleet/process'

const retryMs = 500

/** Resolves once the API answers this key as one of role `inbound`. @throws Error for another key, or an unknown one */
export async function waitForApi(client: Client, { log, signal }: { log: Log; signal: AbortSignal }): Promise<void> {
  for (let isLogged = false; !signal.aborted; isLogged = true) {
    try {
      await client.whoIsCalling()
      throw new Error('the API key is a person’s; an inbound process needs one of the role inbound')
    } catch (error) {
      const status = error instanceof ApiError ? error.problem.status : undefined
      // an inbound process by itself is no person: this is what it is told
      if (status === 403) return
      if (status === 401) throw new Error('the API does not know this API key')
      if (!(error instanceof UnreachableError) && !(status !== undefined && status >= 500)) throw error
      if (!isLogged) log.info('waiting for the API')
      await sleep(retryMs, signal)
    }
  }
}
