import type {
  ChangedCount,
  CohortInput,
  CohortView,
  ContactOwner,
  GroupCodesInput,
  GroupCodesView,
  GroupInput,
  GroupView,
  ImportList,
  ImportReportView,
  MemberList,
  PeoplePage,
  PersonDetails,
  PersonInput,
  ProblemDocument,
  PutOutcome,
  TakeBackReportView,
} from '@courier-fleet/api-types'
import { ApiError, UnreachableError } from './errors.ts'
import { type Http, path } from './http.ts'
import { piecesOf } from './lines.ts'

type ImportEvent = { done: number } | { report: ImportReportView } | { problem: ProblemDocument }

export interface ImportOptions {
  readonly allLines?: boolean
  /** changes nothing */
  readonly dryRun?: boolean
  /** of a dry run: exactly that is loaded, or 412 `stale-roster` */
  readonly version?: string | undefined
  /** who is not in the list is removed; needs a version */
  readonly leavers?: 'remove' | undefined
  /** their number, needed when they are more than half */
  readonly leaversConfirmed?: number | undefined
  /** lines done so far */
  readonly onProgress?: (done: number) => void
}

const contactCalls = (http: Http) => ({
  contactOwner: (channel: string, address: string) =>
    http.call<ContactOwner>('GET', '/contacts', { query: { channel, address } }),
  linkContact: (channel: string, person: string, address: string) =>
    http.call<void>('PUT', path('contacts', channel, person), { body: { address } }),
  /** A further address, such as a second phone: used where those before it certainly do not reach the person. */
  addContact: (channel: string, person: string, address: string) =>
    http.call<void>('POST', path('contacts', channel, person), { body: { address } }),
  /** @param address one of several; absent: all they have on the channel */
  unlinkContact: (channel: string, person: string, address?: string) =>
    http.call<void>('DELETE', path('contacts', channel, person), address === undefined ? {} : { query: { address } }),
})

export function directoryCalls(http: Http) {
  return {
    people: (page: { after?: string; limit?: number } = {}) =>
      http.call<PeoplePage>('GET', '/people', { query: { ...page } }),
    /** By name and id; a page may be short, even empty, while there is a `next`. */
    findPeople: (
      filter: { name?: string; group?: string; after?: string; limit?: number } = {},
      signal?: AbortSignal,
    ) => http.call<PeoplePage>('GET', '/people:search', { query: { ...filter }, signal }),
    person: (id: string) => http.call<PersonDetails>('GET', path('people', id)),
    putPerson: (id: string, person: PersonInput) => http.call<PutOutcome>('PUT', path('people', id), { body: person }),
    deletePerson: (id: string) => http.call<void>('DELETE', path('people', id)),

    groups: () => http.call<{ groups: GroupView[] }>('GET', '/groups'),
    group: (id: string) => http.call<GroupView>('GET', path('groups', id)),
    putGroup: (id: string, group: GroupInput) => http.call<PutOutcome>('PUT', path('groups', id), { body: group }),
    deleteGroup: (id: string) => http.call<void>('DELETE', path('groups', id)),
    members: (group: string) => http.call<MemberList>('GET', path('groups', group, 'members')),
    addMembers: (group: string, people: readonly string[]) =>
      http.call<ChangedCount>('POST', path('groups', group, 'members'), { body: { people } }),
    removeMember: (group: string, person: string) =>
      http.call<void>('DELETE', path('groups', group, 'members', person)),

    /** A code for each person of a group, to link a contact by; shown only now, and those made before are void. */
    groupCodes: (group: string, asked: GroupCodesInput) =>
      http.call<GroupCodesView>('POST', path('groups', group, 'codes'), { body: asked }),
    /** The same as a page to be printed, HTML. */
    groupCodesSheet: async (group: string, asked: GroupCodesInput) =>
      (await http.open('POST', path('groups', group, 'codes'), { body: asked, query: { format: 'html' } })).text(),

    cohorts: () => http.call<{ cohorts: CohortView[] }>('GET', '/cohorts'),
    cohort: (id: string) => http.call<CohortView>('GET', path('cohorts', id)),
    putCohort: (id: string, cohort: CohortInput) => http.call<PutOutcome>('PUT', path('cohorts', id), { body: cohort }),
    deleteCohort: (id: string) => http.call<void>('DELETE', path('cohorts', id)),

    ...contactCalls(http),

    /** Lists that were loaded in the last week, the newest first. */
    imports: () => http.call<ImportList>('GET', '/imports'),
    /** Takes an import back, exactly as this version has it; without one it is told what that would do, with its version. */
    takeImportBack: (id: string, version?: string) =>
      http.call<TakeBackReportView>(
        'POST',
        `${path('imports', id)}/take-back`,
        version ? { version } : { query: { dryRun: 'true' } },
      ),

    /** Imports a roster (CSV, UTF-8), or says what that would change; may be repeated. */
    async importRoster(
      csv: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
      { allLines = false, dryRun = false, version, leavers, leaversConfirmed, onProgress }: ImportOptions = {},
    ): Promise<ImportReportView> {
      const response = await http.open('POST', '/imports', {
        query: {
          lines: allLines ? 'all' : undefined,
          dryRun: dryRun ? 'true' : undefined,
          leavers,
          leaversConfirmed,
        },
        version,
        body: csv,
        type: 'text/csv',
        accept: 'application/x-ndjson',
      })
      for await (const line of piecesOf(response.body, '\n')) {
        const event = JSON.parse(line) as ImportEvent
        if ('report' in event) return event.report
        if ('problem' in event) throw new ApiError(event.problem)
        onProgress?.(event.done)
      }
      throw new UnreachableError('the import was cut off; repeat it')
    },
  }
}
