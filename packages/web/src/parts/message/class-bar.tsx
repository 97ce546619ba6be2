import { type PeopleClass, peopleClasses } from '@courier-fleet/api-types/people-classes'

export type ClassCounts = Readonly<Record<PeopleClass, number>>

interface Props {
  /** what it shows, for whoever does not see it */
  readonly label: string
  readonly counts: ClassCounts
}

/** Everyone in one bar, a segment for each class: its length is everyone, however far it is. */
export function ClassBar({ label, counts }: Props) {
  return (
    <div class="segments" role="img" aria-label={label}>
      {peopleClasses.map(
        (name) => counts[name] > 0 && <span key={name} class={name} style={{ flexGrow: counts[name] }} />,
      )}
    </div>
  )
}
