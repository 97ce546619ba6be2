/**
 * A message to URLs is for nobody of the directory: each URL has an id of its own, made of it, so that the audience is one of ids as
 * any other; the URLs themselves stand in `to` of the record. A message is for people, or for URLs.
 */
import { hash } from 'node:crypto'
import { urlIn } from '@courier-fleet/api-types'

const idLength = 22

export const recipientOfUrl = (url: string): string => `url-${hash('sha256', url, 'base64url').slice(0, idLength)}`

/** By the ids of the recipients. @param to of the record. @returns undefined for a message to people */
export function urlsIn(to: readonly string[]): ReadonlyMap<string, string> | undefined {
  const [first = ''] = to
  if (urlIn(first) === undefined) return undefined
  return new Map(to.flatMap((token) => urlIn(token) ?? []).map((url) => [recipientOfUrl(url), url]))
}
