/** An inbound process where people write, as a process of its own beside a fleet. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditPage } from '@courier-fleet/api-types'
import { createProcesses, type Environment, troubleOf } from '@courier-fleet/launch'
import { until } from '@courier-fleet/testkit'
import { inboundProcesses } from '../../scripts/inbound.mjs'
import { commandOf, inboundProgram } from '../../scripts/programs.mjs'
import type { Fleet } from './fleet.ts'

export interface Inbound {
  start(): Promise<void>
  kill(): Promise<void>
  /** What it has logged since it was started last. */
  logged(): string
  /** Ends it and forgets its files. @throws Error when it did not stop well */
  stop(): Promise<void>
}

export async function startInbound(
  fleet: Fleet,
  name: 'bot' | 'sms-inbound' | 'vk-inbound',
  more: Environment = {},
): Promise<Inbound> {
  const dataDir = mkdtempSync(join(tmpdir(), `courier-fleet-${name}-`))
  const processes = createProcesses()
  const inbound = inboundProcesses.find((each) => each.name === name) as (typeof inboundProcesses)[number]
  const { body } = await fleet.api.call<{ apiKey: string }>('POST', '/v1/api-keys', {
    owner: name,
    role: 'inbound',
    label: 'e2e',
    channels: [inbound.channel],
  })
  const { apiUrl, sandbox } = fleet
  const settings = { inbound, env: {}, endpoints: await sandbox.endpoints(), dataDir, apiUrl, apiKey: body.apiKey }
  const program = inboundProgram(settings)
  const base = { NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info' }

  async function start(): Promise<void> {
    const member = processes.run(name, { ...commandOf(program), env: { ...base, ...program.env, ...more } })
    await until(() => {
      if (member.pid === undefined) throw new Error(`${name} ended: ${member.output}`)
      return member.output.includes('taking texts')
    }, `${name} takes texts`)
  }
  await start()
  await until(async () => {
    const { lines } = await fleet.api.get<AuditPage>('/v1/audit')
    return lines.some(({ action, channel }) => action === 'inbound-address.changed' && channel === inbound.channel)
  }, `${name} has said what people write to`)
  return {
    start,
    kill: async () => void (await processes.member(name).stop('SIGKILL')),
    logged: () => processes.member(name).output,
    async stop() {
      const end = await processes.member(name).stop()
      processes.end()
      rmSync(dataDir, { recursive: true, force: true })
      const trouble = end && troubleOf(end)
      if (trouble) throw new Error(trouble)
    },
  }
}
