import { createLog, runProcess } from '@courier-fleet/core'
import { readConfig } from './config.ts'
import { startSmsInbound } from './start.ts'

const log = createLog(process.env.PROCESS_NAME ?? 'sms-inbound')
await runProcess(log, async () => startSmsInbound({ config: readConfig(process.env), log }))
