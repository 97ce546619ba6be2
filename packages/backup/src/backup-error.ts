/** What keeps a backup from being taken or restored; one line that says what would be right. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
