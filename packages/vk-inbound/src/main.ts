import { createLog, runProcess } from '@courier-fleet/core'
import { readConfig } from './config.ts'
import { startVkInbound } from './start.ts'

const log = createLog(process.env.PROCESS_NAME ?? 'vk-inbound')
await runProcess(log, async () => startVkInbound({ config: readConfig(process.env), log }))
