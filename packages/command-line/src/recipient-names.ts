/** What recipients are called beside their tokens. */
import { ApiError, type Client } from '@courier-fleet/client'

/** @returns what a token is called in English; the token where the caller may not know, or it is gone */
export async function recipientNames(
  client: Pick<Client, 'groups' | 'cohorts' | 'topics'>,
): Promise<(token: string) => string> {
  const [{ groups }, { cohorts }, { topics }] = await Promise.all([
    client.groups().catch(unlessForbidden({ groups: [] })),
    client.cohorts().catch(unlessForbidden({ cohorts: [] })),
    client.topics().catch(unlessForbidden({ topics: [] })),
  ])
  const names = new Map<string, string>([
    ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
    ...cohorts.map(({ id, name }) => [`cohort:${id}`, name] as const),
    ...topics.map(({ id, name }) => [`topic:${id}`, name.en] as const),
  ])
  return (token) => names.get(token) ?? token
}

/** Students list messages, and no groups. */
function unlessForbidden<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ApiError && error.problem.status === 403) return none
    throw error
  }
}
