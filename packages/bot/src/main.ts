import { createLog, processName, runProcess } from '@courier-fleet/process'
import { readBotSettings } from './settings.ts'
import { startBot } from './start-bot.ts'

const log = createLog(processName('bot'))
await runProcess(log, () => startBot(readBotSettings(process.env), { log }))
