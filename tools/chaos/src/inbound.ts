/** The processes that people write to, beside the fleet of a run: the bot of Telegram, and the receiver of text messages. */

import type { Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import type { Processes } from '@courier-fleet/launch'
import { systemClock } from '@courier-fleet/process'
import type { Redis } from '@courier-fleet/store'
import { inboundProcesses } from '../../../scripts/inbound.mjs'
import { commandOf, inboundProgram } from '../../../scripts/programs.mjs'

export const inboundNames = ['bot', 'sms-inbound'] as const

export interface InboundDeps {
  readonly processes: Processes
  readonly redis: Redis
  readonly endpoints: Endpoints
  readonly apiUrl: string
  readonly dir: string
}

/** Resolves when each is started; what is pressed or written before one is ready is pressed and written again. */
export async function startInbound({ processes, redis, endpoints, apiUrl, dir }: InboundDeps): Promise<void> {
  const apiKeys = createApiKeys({ redis, clock: systemClock })
  for (const name of inboundNames) {
    const inbound = inboundProcesses.find((each) => each.name === name) as (typeof inboundProcesses)[number]
    const owner = { owner: name, role: 'inbound', label: 'fault suite', channels: [inbound.channel] } as const
    const { apiKey } = await apiKeys.create(owner)
    const program = inboundProgram({ inbound, env: {}, endpoints, dataDir: dir, apiUrl, apiKey })
    const base = { NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info' }
    processes.run(name, { ...commandOf(program), env: { ...base, ...program.env } })
  }
}
