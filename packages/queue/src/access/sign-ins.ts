/**
 * Signing in with a code that is sent to the person's own channels, as a message of the fleet itself. The answer is the same,
 * and comes as fast, whether there is such a person or not: the work is done after it.
 *
 * A code belongs to the browser that asked, known by a secret in a cookie: others can neither spend it nor use up its tries. What
 * strangers ask for is counted by network and name, so that they cannot keep a person out, either: a browser in which
 * somebody has signed in before is counted for itself.
 */

import { createHash } from 'node:crypto'
import { codeLifeMs, Problem } from '@courier-fleet/api-types'
import type { Directory, Person } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import { bytesReply, defineScript, keys, type Redis } from '@courier-fleet/store'
import type { SystemMessages } from '../fleet/system-messages.ts'
import type { Background } from '../http/background.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { codeDigest, newCode } from '../people/one-time-code.ts'
import { browserMs } from './cookies.ts'

const triesPerCode = 5

/** whether the code was right, and whose it is; empty: nobody's */
const spendScript = defineScript('spend-code', {
  keys: ['signIn'],
  args: ['digest'],
  reply: (reply) => {
    const [right, person] = reply as [number, unknown]
    return { isRight: right === 1, person: bytesReply(person).toString() }
  },
})

/** Whom somebody claims to be. */
export type ClaimedIdentity =
  | { readonly person: string }
  | { readonly contact: { readonly channel: string; readonly address: string } }

export interface SignIns {
  /** @param browser its secret. @returns until when a code would be good, Unix ms. @throws Problem 429 */
  request(who: ClaimedIdentity, browser: string, network: string): Promise<number>
  /** @param browser its secret, if it has one. @returns the person whose code it is. @throws Problem 403 `wrong-code` */
  check(who: ClaimedIdentity, code: string, browser: string | undefined, network: string): Promise<Person>
}

interface SignInDeps {
  readonly redis: Redis
  readonly directory: Directory
  readonly rateLimits: RateLimits
  readonly systemMessages: SystemMessages
  readonly background: Background
  readonly clock: Clock
  /** told of a wrong code for a person there is */
  readonly onRefused: (person: string) => Promise<void>
}

export function createSignIns(deps: SignInDeps): SignIns {
  const { redis, directory, rateLimits, systemMessages, background, clock, onRefused } = deps

  async function personOf(who: ClaimedIdentity): Promise<Person | undefined> {
    const id = 'person' in who ? who.person : await directory.personOf(who.contact.channel, who.contact.address)
    return id === undefined ? undefined : directory.findPerson(id)
  }

  async function sendCode(who: ClaimedIdentity, browser: string): Promise<void> {
    const digest = digestOf(browser)
    const person = await personOf(who)
    const isFamiliar = person !== undefined && (await redis.sismember(keys.browser(digest), person.id)) === 1
    if (person && !isFamiliar && (await rateLimits.hit('sign-in-person', person.id)) > 0) return
    const code = newCode()
    const kept = `${codeDigest(boundTo(who, browser), code)} ${triesPerCode} ${person?.id ?? ''}`
    // before the message: a code that arrives must be good
    await redis.set(keys.signIn(digest), kept, 'PX', codeLifeMs)
    if (person) await systemMessages.sendCode(person, code, isFamiliar)
  }

  /** From now on this browser is counted for itself. */
  async function welcome(who: ClaimedIdentity, person: Person, browser: string, network: string): Promise<void> {
    const key = keys.browser(digestOf(browser))
    await redis.multi().sadd(key, person.id).pexpire(key, browserMs).exec()
    await Promise.all([
      rateLimits.forgive('sign-in-browser', digestOf(browser)),
      rateLimits.forgive('sign-in-name', `${network} ${nameOf(who)}`),
      rateLimits.forgive('sign-in-person', person.id),
    ])
  }

  return {
    async request(who, browser, network) {
      const digest = digestOf(browser)
      if ((await redis.exists(keys.browser(digest))) === 1) await rateLimits.count('sign-in-browser', digest)
      else {
        await rateLimits.count('sign-in-network', network)
        // for the name as it was given, so that nobody learns from a refusal whether there is such a person
        await rateLimits.count('sign-in-name', `${network} ${nameOf(who)}`)
      }
      background.run(sendCode(who, browser), 'could not send a sign-in code')
      return clock.now() + codeLifeMs
    },

    async check(who, code, browser = '', network) {
      const digest = codeDigest(boundTo(who, browser), code)
      const { isRight, person: id } = await spendScript(redis, { signIn: keys.signIn(digestOf(browser)) }, { digest })
      const person = isRight && id !== '' ? await directory.findPerson(id) : undefined
      if (person) {
        await welcome(who, person, browser, network)
        const named = 'contact' in who ? who.contact.channel : undefined
        background.run(systemMessages.tellSignedIn(person, named), 'could not tell of a sign-in')
        return person
      }
      if (id !== '') background.run(onRefused(id), 'could not note a refused sign-in')
      const detail = 'this code is wrong, was used, has lapsed, or was asked for by another browser: ask for another'
      throw new Problem(403, 'wrong-code', detail, 'code')
    },
  }
}

const digestOf = (browser: string) => createHash('sha256').update(browser).digest('hex').slice(0, 32)

const nameOf = (who: ClaimedIdentity) =>
  'person' in who ? who.person : `${who.contact.channel}:${who.contact.address}`

const boundTo = (who: ClaimedIdentity, browser: string) => `${browser}\n${nameOf(who)}`
