/** Every call the web app makes, typed by the schemas the service validates with. Paths are those of docs/api.md. */
import type {
  Acceptance,
  Cancellation,
  ChannelList,
  CohortView,
  ConsentView,
  EnrolmentInput,
  EnrolmentView,
  GroupView,
  HistoriesPage,
  HistoryView,
  ImportReportView,
  LimitsView,
  MessageInput,
  PeoplePage,
  PersonDetails,
  ProblemDocument,
  ReceiptState,
  ReceiptsPage,
  RecountReport,
  RehearsalInput,
  RehearsalView,
  SessionInput,
  SessionView,
  SignInAnswer,
  SignInInput,
  TrackerReport,
} from '@courier-fleet/api-types'
import { ApiProblem, type Http, Unreachable } from './http.ts'
import { readLines } from './lines.ts'

export type Api = ReturnType<typeof createApi>

export interface PeopleQuery {
  readonly name?: string
  readonly group?: string
  readonly after?: string
  readonly limit: number
}

export interface ReceiptsQuery {
  readonly from: number
  readonly limit: number
  readonly channel?: string
  readonly state?: ReceiptState
}

export function createApi({ open, ask }: Http) {
  const get = <T>(path: string, signal?: AbortSignal) => ask<T>(path, signal ? { signal } : {})
  const post = <T>(path: string, body?: unknown, headers = {}) => ask<T>(path, { method: 'POST', body, headers })

  return {
    currentSession: () => get<SessionView>('/sessions/current'),
    requestCode: (who: SignInInput) => post<SignInAnswer>('/sign-ins', who),
    openSession: (session: SessionInput) => post<SessionView>('/sessions', session),
    closeSession: () => ask<void>('/sessions/current', { method: 'DELETE' }),
    limits: () => get<LimitsView>('/limits'),

    groups: async () => (await get<{ groups: GroupView[] }>('/groups')).groups,
    cohorts: async () => (await get<{ cohorts: CohortView[] }>('/cohorts')).cohorts,
    searchPeople: (query: PeopleQuery, signal?: AbortSignal) =>
      get<PeoplePage>(`/people:search?${queryOf(query)}`, signal),
    person: (id: string) => get<PersonDetails>(`/people/${id}`),

    rehearse: (body: RehearsalInput, signal: AbortSignal) =>
      ask<RehearsalView>('/audiences:resolve', { method: 'POST', body, signal }),
    send: (message: MessageInput, idempotencyKey: string) =>
      post<Acceptance>('/messages', message, { 'idempotency-key': idempotencyKey }),

    histories: (query: { before?: string; limit: number }) => get<HistoriesPage>(`/histories?${queryOf(query)}`),
    history: (key: string) => get<HistoryView>(`/histories/${key}`),
    reschedule: (key: string, at: string) => ask<HistoryView>(`/histories/${key}`, { method: 'PATCH', body: { at } }),
    cancel: (key: string) => ask<Cancellation>(`/histories/${key}`, { method: 'DELETE' }),
    receipts: (key: string, query: ReceiptsQuery) => get<ReceiptsPage>(`/histories/${key}/receipts?${queryOf(query)}`),
    report: (key: string) => post<TrackerReport>(`/histories/${key}/tracker`, { timeout: 0 }),
    recount: (key: string) => get<RecountReport>(`/histories/${key}/recount`),
    channels: () => get<ChannelList>('/channels'),

    enrol: (body: EnrolmentInput) => post<EnrolmentView>('/enrolments', body),
    unlink: (channel: string, person: string) => ask<void>(`/contacts/${channel}/${person}`, { method: 'DELETE' }),
    consent: (person: string, channel: string, allowed: boolean) =>
      ask<ConsentView>(`/people/${person}/consents/${channel}`, { method: 'PUT', body: { allowed } }),

    /** @param onProgress told how many lines are done, again and again */
    async importRoster(file: Blob, onProgress: (done: number) => void): Promise<ImportReportView> {
      const response = await open('/imports', {
        method: 'POST',
        body: file,
        headers: { accept: 'application/x-ndjson' },
      })
      type Line = { done?: number; report?: ImportReportView; problem?: ProblemDocument }
      for await (const { done, report, problem } of readLines<Line>(response)) {
        if (report) return report
        if (problem) throw new ApiProblem(problem)
        if (done !== undefined) onProgress(done)
      }
      throw new Unreachable()
    },
  }
}

export const eventsUrl = (key: string) => `/v1/histories/${key}/events`
export const csvUrl = (key: string) => `/v1/histories/${key}/receipts?format=csv`

function queryOf(values: object): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
}
