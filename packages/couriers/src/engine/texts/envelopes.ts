/** What programs are told of each message beside its text, read with one command a message and one a person. */
import { historyKeyOf } from '@courier-fleet/api-types'
import { type Clock, type Env, systemClock } from '@courier-fleet/process'
import { acceptedMs, keys, type Redis } from '@courier-fleet/store'
import {
  type Breakers,
  createBreakers,
  createWebhookSecrets,
  endpointOf,
  NoSecret,
  ofPerson,
  sealingKey,
  type WebhookSecrets,
} from '@courier-fleet/webhooks'
import type { Envelope } from '../../courier.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

export interface Enveloped {
  readonly buffer: ClaimBuffer
  readonly person: string
  readonly address: string
  envelope?: Envelope | undefined
}

export interface Envelopes {
  /** For those who are sent to. */
  putInto(recipients: readonly Enveloped[]): Promise<void>
}

interface EnvelopesDeps {
  readonly redis: Redis
  readonly secrets: Pick<WebhookSecrets, 'valid'>
  readonly breakers: Pick<Breakers, 'seemsClosed'>
  /** Unix ms */
  readonly clock: Clock
}

/** A URL is its sender's: a person's is theirs. */
const ownerOf = ({ person, buffer: { claim, message } }: Enveloped): string =>
  message.urls ? claim.ref.sender : ofPerson(person)

/** An address that is none is told as that when it is to be called. */
const endpointFor = (of: string, address: string): string | undefined =>
  URL.canParse(address) ? endpointOf(of, address) : undefined

export function createEnvelopes({ redis, secrets, breakers, clock }: EnvelopesDeps): Envelopes {
  async function readCreated(buffers: Iterable<ClaimBuffer>): Promise<Map<ClaimBuffer, number>> {
    const created = new Map<ClaimBuffer, number>()
    await Promise.all(
      [...buffers].map(async (buffer) => {
        const accepted = await redis.hget(keys.history(buffer.claim.ref), 'accepted')
        created.set(buffer, acceptedMs(accepted ?? '0'))
      }),
    )
    return created
  }

  /** None where there are none: then nothing is sent, and it is said why. */
  const validOf = (owner: string): Promise<readonly string[]> =>
    secrets.valid(owner).catch((error: unknown) => {
      if (error instanceof NoSecret) return []
      throw error
    })

  async function readSecrets(owners: Iterable<string>): Promise<Map<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>()
    await Promise.all([...owners].map(async (owner) => found.set(owner, await validOf(owner))))
    return found
  }

  /** @returns those that seem to be, and since when that is known */
  async function readClosed(endpoints: Iterable<string>): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    const atMs = clock.now()
    // the courier asks of those of which this is not known
    const look = async (endpoint: string) => {
      if (await breakers.seemsClosed(endpoint).catch(() => false)) found.set(endpoint, atMs)
    }
    await Promise.all([...endpoints].map(look))
    return found
  }

  return {
    async putInto(recipients) {
      if (recipients.length === 0) return
      const owners = recipients.map(ownerOf)
      const endpoints = recipients.map(({ address }, index) => endpointFor(owners[index] as string, address))
      const [created, found, closed] = await Promise.all([
        readCreated(new Set(recipients.map(({ buffer }) => buffer))),
        readSecrets(new Set(owners)),
        readClosed(new Set(endpoints.filter((endpoint) => endpoint !== undefined))),
      ])
      for (const [index, recipient] of recipients.entries()) {
        const { buffer, person } = recipient
        const { message, claim } = buffer
        const closedAtMs = closed.get(endpoints[index] ?? '')
        recipient.envelope = {
          ...(message.urls ? {} : { person }),
          history: historyKeyOf(claim.ref),
          createdMs: created.get(buffer) ?? 0,
          ...(message.version > 1 ? { version: message.version } : {}),
          ...(message.data ? { data: message.data } : {}),
          of: owners[index] as string,
          secrets: found.get(owners[index] as string) ?? [],
          ...(closedAtMs === undefined ? {} : { closedAtMs }),
        }
      }
    },
  }
}

/** @throws Error when nothing could be signed */
export function openEnvelopes(redis: Redis, env: Env): Envelopes {
  const key = sealingKey(env)
  if (!key) throw new Error('FLEET_SECRET is not set: what is sent to programs is signed with secrets that it opens')
  const secrets = createWebhookSecrets({ redis, sealingKey: key, clock: systemClock })
  return createEnvelopes({ redis, secrets, breakers: createBreakers(redis), clock: systemClock })
}
