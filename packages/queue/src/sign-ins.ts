/**
 * Signing in with a code that is sent to the person's own channels, as a message of the fleet itself. The answer is the same,
 * and comes as fast, whether there is such a person or not: the work is done after it.
 */

import { Problem, systemSender } from '@courier-fleet/api-types'
import type { Directory, Person } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import { defineScript, flagReply, type Histories, keys, newHistoryRef, readTargets } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { codeDigest, codeLifeMs, newCode } from './one-time-code.ts'
import type { RateLimits } from './rate-limits.ts'
import { signInText } from './sign-in-text.ts'

const triesPerCode = 5

const spendScript = defineScript('spend-code', { keys: ['signIn'], args: ['digest'], reply: flagReply })

/** Whom somebody claims to be. */
type ClaimedIdentity =
  | { readonly person: string }
  | { readonly contact: { readonly channel: string; readonly address: string } }

export interface SignIns {
  /** @returns until when a code would be good, Unix ms. @throws Problem 429 */
  request(who: ClaimedIdentity, from: string): Promise<number>
  /** @returns the person whose code it is. @throws Problem 403 `wrong-code` · 429 */
  check(who: ClaimedIdentity, code: string, from: string): Promise<Person>
  /** Waits for the work that goes on after an answer. */
  drain(): Promise<void>
}

interface SignInDeps {
  readonly redis: Redis
  readonly histories: Histories
  readonly directory: Directory
  readonly rateLimits: RateLimits
  readonly clock: Clock
  readonly log: Log
  readonly shards: number
  /** told of a wrong code for a person there is */
  readonly onRefused: (person: string) => Promise<void>
}

export function createSignIns(deps: SignInDeps): SignIns {
  const { redis, histories, directory, rateLimits, clock, log, shards, onRefused } = deps
  const unfinished = new Set<Promise<void>>()

  function inBackground(work: Promise<void>, failure: string): void {
    const done = work
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => unfinished.delete(done))
    unfinished.add(done)
  }

  async function personOf(who: ClaimedIdentity): Promise<Person | undefined> {
    const id = 'person' in who ? who.person : await directory.personOf(who.contact.channel, who.contact.address)
    return id === undefined ? undefined : directory.findPerson(id)
  }

  /** Whoever sees the sandbox sees every message there: once a channel is real, codes go to real ones alone. */
  async function channelsForCodes(): Promise<string[]> {
    const targets = [...(await readTargets(redis))]
    const real = targets.filter(([, target]) => target === 'real')
    return (real.length > 0 ? real : targets).map(([channel]) => channel)
  }

  async function sendCode(who: ClaimedIdentity, expiresMs: number): Promise<void> {
    const person = await personOf(who)
    if (!person) return
    if ((await rateLimits.hit('sign-in', person.id)) > 0) return
    const channels = await channelsForCodes()
    if (channels.length === 0) return log.warn('a sign-in code was not sent: no courier has ever started')
    const code = newCode()
    // before the message: a code that arrives must be good
    await redis.set(keys.signIn(person.id), `${codeDigest(person.id, code)} ${triesPerCode}`, 'PX', codeLifeMs)
    const ref = newHistoryRef(systemSender, shards)
    await histories.put({
      ref,
      issued: false,
      digest: ref.id,
      source: 'web',
      text: signInText(person.language, code),
      to: [`user:${person.id}`],
      channels,
      class: 'urgent',
      audience: [person.id],
      dueMs: 0,
      expiresMs,
    })
  }

  return {
    async request(who, from) {
      await rateLimits.count('sign-in-from', from)
      // counted for the name as it was given, so that nobody learns from a refusal whether there is such a person
      await rateLimits.count('sign-in-name', nameOf(who))
      const expiresMs = clock.now() + codeLifeMs
      inBackground(sendCode(who, expiresMs), 'could not send a sign-in code')
      return expiresMs
    },

    async check(who, code, from) {
      await rateLimits.count('session-from', from)
      const person = await personOf(who)
      const id = person?.id ?? ''
      const right = await spendScript(redis, { signIn: keys.signIn(id) }, { digest: codeDigest(id, code) })
      if (person && right) {
        await Promise.all([
          rateLimits.forgive('session-from', from),
          rateLimits.forgive('sign-in', id),
          rateLimits.forgive('sign-in-name', nameOf(who)),
        ])
        return person
      }
      if (person) inBackground(onRefused(id), 'could not note a refused sign-in')
      throw new Problem(403, 'wrong-code', 'this code is wrong, was used, or has lapsed: ask for another', 'code')
    },

    async drain() {
      await Promise.all(unfinished)
    },
  }
}

const nameOf = (who: ClaimedIdentity) =>
  'person' in who ? who.person : `${who.contact.channel}:${who.contact.address}`
