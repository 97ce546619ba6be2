/** Tells the fleet what people write to, so that whoever links a contact is led there. */
import { type Log, sleep } from '@courier-fleet/process'
import type { Fleet } from './fleet.ts'

const retryMs = 5000

/** Resolves once it is told, or when aborted: texts are taken meanwhile. Never rejects. */
export async function tellAddress(
  { own }: Pick<Fleet, 'own'>,
  channel: string,
  address: string,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await own.putInboundAddress(channel, { address })
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, address }, 'the fleet was not told what people write to; trying again')
      await sleep(retryMs, signal)
    }
  }
}
