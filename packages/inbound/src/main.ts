/** `main.js <channel>`: the process that takes what people write on one channel. Each channel is a folder beside this file. */
import { channels } from '@courier-fleet/channels'
import { createLog, processName, runProcess } from '@courier-fleet/process'
import type { CreateReceiver } from './receiver.ts'
import { startInbound } from './start-inbound.ts'

const served = channels.filter(({ inbound }) => inbound?.package === 'inbound').map(({ name }) => name)

const channel = process.argv[2] ?? ''
const log = createLog(processName(`${channel}-inbound`))
await runProcess(log, async () => {
  const name = served.find((each) => each === channel)
  if (!name) throw new Error(`nothing comes in over "${channel}": there are ${served.join(', ')}`)
  const { createReceiver } = (await import(`./${name}/receiver.ts`)) as { readonly createReceiver: CreateReceiver }
  return startInbound({ channel, createReceiver, env: process.env, log })
})
