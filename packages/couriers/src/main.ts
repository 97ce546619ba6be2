import { createLog, runProcess } from '@courier-fleet/process'
import { startCourier } from './start-courier.ts'

const channel = process.argv[2] ?? ''
await runProcess(createLog(process.env.PROCESS_NAME ?? `courier-${channel}`), () => startCourier(channel, process.env))
