import { type MadeRole, rightsOf } from '@courier-fleet/api-types'
import type { Redis } from '@courier-fleet/store'
import { countryCode } from './address.ts'
import { createAudience } from './audience.ts'
import { createCohorts } from './cohorts.ts'
import { createContactStore } from './contact-store.ts'
import { createContacts } from './contacts.ts'
import type { Directory } from './directory.ts'
import { createGroups } from './groups.ts'
import { createPeople } from './people.ts'
import { createRoleIndex } from './role-index.ts'
import { createImport } from './roster/import-csv.ts'
import { knownOfImports, listLoaded } from './roster/journal.ts'
import { createKeptOfLeavers, createTakeBack } from './roster/take-back.ts'
import { createStops } from './stops.ts'
import { createTopics } from './topics.ts'
import { createWishes } from './wishes.ts'

export interface DirectoryDeps {
  /** with `enableAutoPipelining`, or the many small reads of thousands of people go out one by one */
  readonly redis: Redis
  /** whose national telephone numbers are understood, ISO 3166 */
  readonly country: string
  /** how long a message is kept once it is over; default 90 days */
  readonly keptMs?: () => number
  /** those that operators have made, as they are now; default none but the five */
  readonly roles?: () => readonly MadeRole[]
  /** of new people whose roster line names none; default UTC */
  readonly timeZone?: string
  /** likewise; default en */
  readonly language?: string
}

/** @throws RangeError on an unknown country */
export function createDirectory(deps: DirectoryDeps): Directory {
  const { redis, keptMs = () => 90 * 86_400_000, roles = () => [], timeZone = 'UTC', language = 'en' } = deps
  const country = countryCode(deps.country)
  const store = createContactStore(redis)
  const contacts = createContacts({ redis, store, country })
  const { ofPerson: _, restoreContact: __, ...publicContacts } = contacts
  const stops = createStops({ redis, store })
  const topics = createTopics({ redis })
  const { forgetWishes, ...wishes } = createWishes(redis, store)
  const roleIndex = createRoleIndex({ redis, roles })
  const people = createPeople({ redis, contacts, stops, topics, forgetWishes, keptMs, roles, roleIndex })
  const directory = {
    ...createAudience({ redis, roles }),
    ...publicContacts,
    stopsOf: stops.stopsOf,
    ...wishes,
    ...people,
    peopleOf: roleIndex.peopleOf,
    countOf: roleIndex.countOf,
    rightsOf: (role: string) => rightsOf(roles(), role),
    ...createGroups({ redis }),
    ...createCohorts({ redis }),
    ...topics,
  }
  const keptOfLeavers = createKeptOfLeavers({ redis, directory })
  return {
    ...directory,
    importCsv: createImport({ redis, country, roles, defaults: { timeZone, language }, people, keptOfLeavers }),
    knownOfImports: (person) => knownOfImports(redis, person),
    listImports: () => listLoaded(redis),
    takeBackImport: createTakeBack({ redis, contacts, stops, directory }),
  }
}
