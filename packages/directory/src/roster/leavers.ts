/**
 * Who is not in the list, and goes where that is asked for: of the roles that are in it, and never whoever imports. Of a line that
 * cannot be read it must be known at least whom it is about, or somebody would go who is in the list.
 */
import { idPattern, Problem } from '@courier-fleet/api-types'
import type { Directory, ImportOptions, Leaver } from '../directory.ts'
import { idOfName } from '../ids-of-names.ts'
import type { Kept } from './journal.ts'
import type { RosterPerson } from './roster-line.ts'

/** more of them at once are a mistake, unless their number is named */
const maxShare = 0.5
const perPage = 1000
/** kept, then removed */
const removedAtOnce = 200

interface Leavers {
  /** @param written its cell `id`: of a line that was not taken it says who it is */
  note(person: RosterPerson | undefined, written: string | undefined): void
  /** @throws Problem 422 `unclear-leavers` · 409 `too-many-leavers`, unless it is a dry run */
  find(): Promise<readonly Leaver[]>
  /** @param keep what goes with them, some people at a time, before they go */
  remove(leavers: readonly Leaver[], keep: (kept: ReadonlyMap<string, Kept>) => Promise<void>): Promise<void>
}

interface LeaversDeps {
  readonly people: Pick<Directory, 'listPeople' | 'deletePerson'>
  readonly keptOfLeavers: (ids: readonly string[]) => Promise<ReadonlyMap<string, Kept>>
}

export function createLeavers(
  { people, keptOfLeavers }: LeaversDeps,
  { leavers: isAsked = false, dryRun = false, leaversConfirmed, by, removePerson = people.deletePerson }: ImportOptions,
): Leavers {
  const listed = new Set<string>()
  const roles = new Set<string>()
  let unclear = 0

  return {
    note(person, written = '') {
      if (person) roles.add(person.role)
      const id = person?.id ?? (idPattern.test(written) ? written : idOfName(written))
      if (id === undefined) unclear++
      else listed.add(id)
    },

    async find() {
      if (!isAsked) return []
      if (unclear > 0 && !dryRun) {
        const problem = `of ${unclear} lines it is not known whom they are about, so nobody can be removed for not being in the list`
        throw new Problem(422, 'unclear-leavers', problem)
      }
      const gone: Leaver[] = []
      let known = 0
      for (let after = ''; ; ) {
        const page = await people.listPeople(after, perPage)
        for (const { id, name, role } of page) {
          if (!roles.has(role)) continue
          known++
          if (!listed.has(id) && id !== by) gone.push({ id, name })
        }
        const last = page.at(-1)
        if (page.length < perPage || !last) break
        after = last.id
      }
      if (!dryRun && gone.length > known * maxShare && gone.length !== leaversConfirmed) {
        const problem = `${gone.length} of ${known} would be removed: leaversConfirmed=${gone.length} says that it is meant`
        throw new Problem(409, 'too-many-leavers', problem)
      }
      return gone
    },

    async remove(leavers, keep) {
      for (let from = 0; from < leavers.length; from += removedAtOnce) {
        const ids = leavers.slice(from, from + removedAtOnce).map(({ id }) => id)
        await keep(await keptOfLeavers(ids))
        for (const id of ids) await removePerson(id)
      }
    },
  }
}
