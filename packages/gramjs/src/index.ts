/** A connection to Telegram that keeps itself up, made of gramjs with a fence for each defect of that library. */
export { readTelegramAccount, type TelegramAccount, type TelegramServer } from './account.ts'
export { createTelegramConnection, type TelegramConnection, type TelegramConnectionDeps } from './connection.ts'
export { fenceAfterChain } from './fences/after-chain.ts'
export { fenceContainers } from './fences/containers.ts'
export { type FloodWait, floodWaitOf } from './fences/flood-seconds.ts'
export { createUpdateFeed, type UpdateFeed } from './fences/missed-updates.ts'
export type { PositionStore, UpdatePosition } from './fences/update-progress.ts'
export { endsSession, NotConnected } from './refusals.ts'
