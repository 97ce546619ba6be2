/** A connection to Telegram that keeps itself up, made of gramjs with a fence for each defect of that library. */
export { readTelegramAccount, type TelegramAccount } from './account.ts'
export { createTelegramConnection, type TelegramConnection } from './connection.ts'
export { fenceContainers } from './fences/containers.ts'
export { floodWaitOf } from './fences/flood-seconds.ts'
export { createUpdateFeed } from './fences/missed-updates.ts'
export type { UpdatePosition } from './fences/update-progress.ts'
export { endsSession, NotConnected } from './refusals.ts'
