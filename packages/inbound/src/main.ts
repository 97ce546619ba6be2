/** `main.js <channel>`: the process that takes what people write on one channel. Each channel is a folder beside this file. */
import { createLog, runProcess } from '@courier-fleet/process'
import type { CreateReceiver } from './receiver.ts'
import { startInbound } from './start-inbound.ts'

const channels: Readonly<Record<string, () => Promise<{ readonly createReceiver: CreateReceiver }>>> = {
  sms: () => import('./sms/receiver.ts'),
  vk: () => import('./vk/receiver.ts'),
}

const channel = process.argv[2] ?? ''
const log = createLog(process.env.PROCESS_NAME ?? `${channel}-inbound`)
await runProcess(log, async () => {
  const load = channels[channel]
  if (!load) throw new Error(`nothing comes in over "${channel}": there are ${Object.keys(channels).join(', ')}`)
  const { createReceiver } = await load()
  return startInbound({ channel, createReceiver, env: process.env, log })
})
