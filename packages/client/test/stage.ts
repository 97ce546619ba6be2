/** A whole fleet in one process: the service over a real socket, a timekeeper, and couriers without a provider. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Outcome } from '@courier-fleet/couriers'
import { joinFleet } from '@courier-fleet/store'
import { rehearsedCourier } from '../../couriers/test/engine/rehearsed-courier.ts'
import { setStage } from '../../couriers/test/engine/stage.ts'
import { startService } from '../../queue/test/service.ts'
import { createClient, type sendCommand } from '../src/index.ts'

/** this address has blocked the bot; messages to all others are accepted */
const telegramBlocks = '1666'
const rejected: Outcome = { kind: 'rejected', class: 'blocked', detail: 'USER_IS_BLOCKED: blocked the bot' }

export async function startFleet() {
  const stage = await setStage()
  await joinFleet(stage.redis, 2)
  const service = await startService(stage)
  const apiUrl = await service.listen()
  const apiKey = service.keyOf.trainer
  const answer = ({ address }: { address: string }): Outcome =>
    address === telegramBlocks ? rejected : { kind: 'sent', providerId: `id-${address}` }
  const runners = await Promise.all([
    stage.run(rehearsedCourier({ channel: 'telegram', answer })),
    stage.run(rehearsedCourier({ channel: 'vk' })),
  ])
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-client-'))
  const fleetFile = join(dir, 'fleet.json')
  writeFileSync(fleetFile, JSON.stringify({ apiUrl, apiKey }))

  return {
    service,
    stage,
    runners,
    apiUrl,
    fleetFile,
    client: createClient({ apiUrl, apiKey }),
    admin: createClient({ apiUrl, apiKey: service.keyOf.admin }),
    /** group:own: anna has both, boris is blocked in Telegram, clara has nothing */
    async linkPeople() {
      await stage.directory.linkContact('telegram', 'anna', '1001')
      await stage.directory.linkContact('vk', 'anna', '1001')
      await stage.directory.linkContact('telegram', 'boris', telegramBlocks)
    },
    async run(command: typeof sendCommand, args: string[], env: NodeJS.ProcessEnv = {}) {
      const out: string[] = []
      const err = new PassThrough()
      const lines: string[] = []
      err.on('data', (text: Buffer) => lines.push(text.toString()))
      const code = await command(args, {
        out: (text) => out.push(text),
        err: err as unknown as NodeJS.WriteStream,
        env,
        fleetFile,
      })
      return { code, out: out.join('\n'), err: lines.join('') }
    },
    async stop() {
      await service.stop()
      await stage.stop()
      rmSync(dir, { recursive: true })
    },
  }
}
