import { createLog, processName, runProcess } from '@courier-fleet/process'
import { startCourier } from './start-courier.ts'

const channel = process.argv[2] ?? ''
await runProcess(createLog(processName(`courier-${channel}`)), () => startCourier(channel, process.env))
