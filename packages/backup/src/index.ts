export { type Restored, type RestoreOptions, restoreBackup } from './restore.ts'
export { type Backup, takeBackup } from './take.ts'
