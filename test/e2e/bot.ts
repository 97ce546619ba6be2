/** The teacher's bot as a process of its own beside a fleet. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Children, createChildren } from './children.ts'
import { eventually } from './eventually.ts'
import type { Fleet } from './fleet.ts'

export interface Bot {
  start(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Ends it and forgets its files. @throws Error when it did not stop well */
  stop(): Promise<void>
}

/** @param apiUrl where it finds the API, when there is something in between */
export async function startBot(fleet: Fleet, apiUrl = fleet.apiUrl): Promise<Bot> {
  const dataDir = mkdtempSync(join(tmpdir(), 'courier-fleet-bot-'))
  const children: Children = createChildren(() => {})
  const { telegram } = await fleet.sandbox.endpoints()
  const { body } = await fleet.api.call<{ apiKey: string }>('POST', '/v1/api-keys', {
    owner: 'telegram-bot',
    role: 'entrance',
    label: 'bot',
    channels: ['telegram'],
  })
  const env = {
    FLEET_API_URL: apiUrl,
    BOT_API_KEY: body.apiKey,
    BOT_DATA_DIR: dataDir,
    TELEGRAM_TARGET: 'sandbox',
    TELEGRAM_BOT_TOKEN: telegram.botToken,
    TELEGRAM_API_ID: String(telegram.apiId),
    TELEGRAM_API_HASH: telegram.apiHash,
    TELEGRAM_DC: `${telegram.host}:${telegram.port}`,
    TELEGRAM_DC_PUBLIC_KEY: telegram.publicKey,
  }
  async function start(): Promise<void> {
    children.start({ name: 'bot', folder: 'bot', env })
    await eventually(async () => {
      if (children.pidOf('bot') === undefined) throw new Error(`the bot ended: ${children.output('bot')}`)
      return children.output('bot').includes('started, listening')
    }, 'the bot listens')
  }
  await start()
  return {
    start,
    kill: async (signal = 'SIGKILL') => void (await children.kill('bot', signal)),
    stop: () => children.stop(['bot']).finally(() => rmSync(dataDir, { recursive: true, force: true })),
  }
}
