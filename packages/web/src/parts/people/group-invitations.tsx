import { ApplicationLink } from './application-link.tsx'
import { GroupCodes } from './group-codes.tsx'

/** What brings people into a group, and their contacts into the fleet: a sheet of codes, and a link to apply. */
export function GroupInvitations({ group }: { group: string }) {
  return (
    <>
      <GroupCodes group={group} />
      <ApplicationLink key={group} group={group} />
    </>
  )
}
