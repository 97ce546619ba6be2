/** Takes and restores a backup in a process of its own: whom a process trusts is said when it starts. */
import { restoreBackup, takeBackup } from '../src/index.ts'

const [, , from = '', to = '', file = ''] = process.argv
await takeBackup(from, file)
await restoreBackup(to, file, { sendAgain: true })
