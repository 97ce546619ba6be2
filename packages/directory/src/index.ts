export { createApiKeys } from './api-keys.ts'
export { createDirectory, type DirectoryDeps } from './create-directory.ts'
export * from './directory.ts'
export { maxRosterBytes } from './roster/roster-text.ts'
