/** What changes a message, loaded together: three files of a few hundred bytes each are larger than one. */
export { CorrectDialog } from './correct-dialog.tsx'
export { RecallDialog } from './recall-dialog.tsx'
export { RescheduleDialog } from './reschedule-dialog.tsx'
