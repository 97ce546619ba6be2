/** What the page of groups opens, loaded together: one file is smaller than two of a few hundred bytes each. */
export { GroupInvitations } from './group-invitations.tsx'
export { TopicDialog } from './topic-dialog.tsx'
