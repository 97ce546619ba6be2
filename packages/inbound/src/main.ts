/** `main.js <channel>`: what comes in over one channel, as a client of the HTTP API. */
import { createLog, runProcess } from '@courier-fleet/process'

const starts: Readonly<Record<string, () => Promise<typeof import('./sms/main.ts').start>>> = {
  sms: async () => (await import('./sms/main.ts')).start,
  vk: async () => (await import('./vk/main.ts')).start,
}

const channel = process.argv[2] ?? ''
const log = createLog(process.env.PROCESS_NAME ?? `${channel}-inbound`)
await runProcess(log, async () => {
  const load = starts[channel]
  if (!load) throw new Error(`nothing comes in over "${channel}": there are ${Object.keys(starts).join(', ')}`)
  return (await load())(process.env, log)
})
