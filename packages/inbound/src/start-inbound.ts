/** The start-up that the inbound processes of all channels share. */
import { type Env, type Log, systemClock } from '@courier-fleet/process'
import { createAnswers } from './answers.ts'
import { connectFleet } from './fleet.ts'
import type { CreateReceiver } from './receiver.ts'
import { createSetAside } from './set-aside.ts'
import { readInboundSettings } from './settings.ts'
import { waitForApi } from './wait-for-api.ts'

export interface StartInboundDeps {
  readonly channel: string
  readonly createReceiver: CreateReceiver
  readonly env: Env
  readonly log: Log
}

/**
 * Resolves when the channel takes texts. The API or a provider that is away is waited for.
 * @throws Error in one line for a missing or wrong setting, or credentials that are refused
 */
export async function startInbound(deps: StartInboundDeps): Promise<{ stop(): Promise<void> }> {
  const { channel, createReceiver, env, log } = deps
  const { apiUrl, apiKey, dataDir } = readInboundSettings(`${channel}-inbound`, env)
  const stopping = new AbortController()
  const { signal } = stopping
  const fleet = connectFleet({ apiUrl, apiKey, channel })
  const answers = createAnswers({ client: fleet.own, channel })
  const setAside = createSetAside({ own: fleet.own, channel, log })
  const receiver = createReceiver({ channel, env, dataDir, fleet, answers, setAside, clock: systemClock, log })
  await waitForApi(fleet.own, { log, signal })
  await receiver.start(signal)
  log.info('taking texts')
  return {
    async stop() {
      stopping.abort()
      await receiver.stop()
    },
  }
}
