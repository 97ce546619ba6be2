export { type BotSettings, readBotSettings } from './settings.ts'
export { type BotOptions, startBot } from './start-bot.ts'
