/** An inbound process where people write, as a process of its own beside a fleet. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inboundProcesses, inboundSettings } from '../../scripts/inbound.mjs'
import { createChildren, type Environment } from './children.ts'
import { eventually } from './eventually.ts'
import type { Fleet } from './fleet.ts'

export interface Inbound {
  start(): Promise<void>
  kill(): Promise<void>
  /** Ends it and forgets its files. @throws Error when it did not stop well */
  stop(): Promise<void>
}

export async function startInbound(
  fleet: Fleet,
  name: 'bot' | 'sms-inbound' | 'vk-inbound',
  more: Environment = {},
): Promise<Inbound> {
  const dataDir = mkdtempSync(join(tmpdir(), `courier-fleet-${name}-`))
  const children = createChildren(() => {})
  const inbound = inboundProcesses.find((each) => each.name === name) as (typeof inboundProcesses)[number]
  const { body } = await fleet.api.call<{ apiKey: string }>('POST', '/v1/api-keys', {
    owner: name,
    role: 'inbound',
    label: 'e2e',
    channels: [inbound.channel],
  })
  const { apiUrl, sandbox } = fleet
  const settings = { inbound, env: {}, endpoints: await sandbox.endpoints(), dataDir, apiUrl, apiKey: body.apiKey }
  const env: Environment = { ...inboundSettings(settings), ...more }

  async function start(): Promise<void> {
    children.start({ name, folder: inbound.folder, args: inbound.args, env })
    await eventually(async () => {
      if (children.pidOf(name) === undefined) throw new Error(`${name} ended: ${children.output(name)}`)
      return children.output(name).includes('taking texts')
    }, `${name} takes texts`)
  }
  await start()
  return {
    start,
    kill: async () => void (await children.kill(name, 'SIGKILL')),
    stop: () => children.stop([name]).finally(() => rmSync(dataDir, { recursive: true, force: true })),
  }
}
