/** What changes a message, and whom one that is scheduled would reach, which they say, too: loaded together, for several small files are larger than one. */
export { CorrectDialog } from './correct-dialog.tsx'
export { RecallDialog } from './recall-dialog.tsx'
export { RescheduleDialog } from './reschedule-dialog.tsx'
export { ScheduledReach } from './scheduled-reach.tsx'
