/** What recipients are called beside their tokens. */
import type { Client } from '@courier-fleet/client'

/** @returns what a token is called in English, as far as the caller may know; else the token */
export async function recipientNames(
  client: Pick<Client, 'groups' | 'cohorts' | 'topics'>,
): Promise<(token: string) => string> {
  const [{ groups }, { cohorts }, { topics }] = await Promise.all([client.groups(), client.cohorts(), client.topics()])
  const names = new Map<string, string>([
    ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
    ...cohorts.map(({ id, name }) => [`cohort:${id}`, name] as const),
    ...topics.map(({ id, name }) => [`topic:${id}`, name.en] as const),
  ])
  return (token) => names.get(token) ?? token
}
