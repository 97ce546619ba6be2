/** A connection to Telegram that keeps itself up, made of gramjs with a patch for each defect of that library that matters here. */
export { readTelegramAccount, type TelegramAccount } from './account.ts'
export { createTelegramConnection, type TelegramConnection } from './connection.ts'
export { patchContainers } from './patches/containers.ts'
export { floodWaitOf } from './patches/flood-seconds.ts'
export { createUpdateFeed } from './patches/missed-updates.ts'
export type { UpdatePosition } from './patches/update-progress.ts'
export { endsSession, NotConnected } from './refusals.ts'
