/** gramjs, tamed: a link to Telegram that keeps itself up, behind a fence for each defect of the library. */
export { readTelegramAccount, type TelegramAccount, type TelegramServer } from './account.ts'
export { fenceAfterChain } from './fences/after-chain.ts'
export { fenceContainers } from './fences/containers.ts'
export { type Deadline, NoAnswer, startDeadline } from './fences/deadline.ts'
export { type FloodWait, floodWaitOf } from './fences/flood-seconds.ts'
export { createUpdateFeed, type Mark, type MarkStore, type UpdateFeed } from './fences/missed-updates.ts'
export { createLink, type Link, type LinkListener } from './link.ts'
export { endsSession, NotConnected } from './refusals.ts'
