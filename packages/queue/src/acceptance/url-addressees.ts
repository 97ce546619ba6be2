/** Messages to URLs: who may send them, and the URLs as they are kept. */
import { type MessageBody, Problem, urlIn, urlToken } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import { hasRole } from '@courier-fleet/directory'
import { packAudience, recipientOfUrl } from '@courier-fleet/store'
import { checkUrl } from '@courier-fleet/webhooks'
import type { Caller } from '../access/callers.ts'
import type { Webhooks } from '../subscriptions/webhooks.ts'
import { type Addressees, asNamed } from './named-addressees.ts'

/** Whoever sends there has the fleet call what they name: a system, or somebody who is trusted with as much. */
const leastRole = 'staff'

type ForUrls = {
  readonly [Name in 'channels' | 'steps' | 'confirm' | 'text' | 'fields' | 'recipients' | 'ceiling']?:
    | MessageBody[Name]
    | undefined
}

/** A URL is called by http, and by nothing else; nobody is there who could confirm anything. @throws Problem 422 `unknown-channel` `urls-and-people` */
export function requireForUrls({ channels = [], steps, confirm, text, fields, recipients, ceiling }: ForUrls): void {
  if (fields || recipients || typeof text === 'object')
    throw new Problem(422, 'urls-and-people', 'a URL has no language and no name: give one text without fields', 'text')
  if (confirm)
    throw new Problem(422, 'urls-and-people', 'people confirm a message, and URLs do not: leave confirm out', 'confirm')
  if (steps)
    throw new Problem(422, 'urls-and-people', `a URL is called by ${http.name} alone: leave steps out`, 'steps')
  if (ceiling)
    throw new Problem(422, 'urls-and-people', 'nothing is paid for what goes to URLs: leave ceiling out', 'ceiling')
  const at = channels.findIndex((name) => name !== http.name)
  if (at < 0) return
  const detail = `a URL is called by ${http.name}, and nothing goes there by ${channels[at]}: leave channels out`
  throw new Problem(422, 'unknown-channel', detail, `channels.${at}`)
}

/** @returns a Problem 403 `not-your-audience` · 422 `urls-and-people` `bad-address` `refused-url` */
export function urlAddressees(to: readonly string[], by: Caller, webhooks: Webhooks): Addressees | Error {
  const urls: string[] = []
  for (const [at, token] of to.entries()) {
    const url = urlIn(token)
    const field = `to.${at}`
    if (url === undefined) {
      const detail = 'a message is for people or for URLs, not for both: send two'
      return new Problem(422, 'urls-and-people', detail, field)
    }
    if (!hasRole(by, leastRole)) {
      return new Problem(403, 'not-your-audience', `only ${leastRole} and systems may send to a URL`, field)
    }
    const stored = http.address.normalise(url)
    if (stored === undefined) return new Problem(422, 'bad-address', `this is not ${http.address.expected}`, field)
    const refused = checkUrl(stored, webhooks.settings)
    if (typeof refused === 'string') return new Problem(422, 'refused-url', `the URL ${refused}`, field)
    urls.push(stored)
  }
  const unique = [...new Set(urls)]
  const ids = unique.map(recipientOfUrl).sort()
  return { ...asNamed(unique.map(urlToken)), urls: packAudience(ids) }
}
