/**
 * Tells whoever an endpoint concerns that it is switched off: a person over their other channels, a sender over theirs.
 *
 * Said once, however many processes see it: the message has an id made of the endpoint and of when it was switched off, so that the
 * second is the same one; and once it is there the breaker says so, for the message itself is purged after a while. A crash leaves
 *
 *   off, no message yet         whoever meets the endpoint next tells
 *   a message, not noted yet    whoever meets it next puts the same message again, which changes nothing, and notes it
 */
import { hash } from 'node:crypto'
import { systemSender } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import { fleetMessage, type Histories } from '@courier-fleet/store'
import type { Breakers } from '@courier-fleet/webhooks'
import { endpointOffText } from './owner-texts.ts'

/** What is not told by then stands with the endpoint (GET /v1/endpoints). */
const lifeMs = 86_400_000

const ofPeople = channels.filter(({ isForSystems }) => !isForSystems).map(({ name }) => name)

export interface WhoseEndpoint {
  readonly endpoint: string
  readonly url: string
  /** id of the person, or of the sender who named it */
  readonly owner: string
  /** it is the person's own */
  readonly isContact: boolean
}

/** Does nothing of one that is not off, or whose owner has been told. */
export type TellOwner = (whose: WhoseEndpoint) => Promise<void>

interface TellOwnerDeps {
  readonly breakers: Pick<Breakers, 'ask' | 'told'>
  readonly directory: Pick<Directory, 'findPerson'>
  readonly histories: Pick<Histories, 'place' | 'put'>
  readonly clock: Clock
  readonly log: Log
}

const idOf = (endpoint: string, sinceMs: number) => hash('sha256', `${endpoint} ${sinceMs}`, 'base64url').slice(0, 22)

export function createTellOwner(deps: TellOwnerDeps): TellOwner {
  const { breakers, directory, histories, clock, log } = deps
  return async ({ endpoint, url, owner, isContact }) => {
    const off = await breakers.ask(endpoint)
    if (off.kind !== 'off' || off.isTold) return
    const { sinceMs, failingSinceMs } = off
    const person = await directory.findPerson(owner)
    if (person) {
      const { timeZone } = person
      const language = person.language.startsWith('ru') ? 'ru' : 'en'
      const placed = await histories.place(systemSender, idOf(endpoint, sinceMs))
      const text = endpointOffText(language, { url, isContact, sinceMs, failingSinceMs, timeZone })
      const [people, expiresMs] = [[person.id], clock.now() + lifeMs]
      await histories.put(fleetMessage({ ...placed, text, people, class: 'normal', expiresMs, channels: ofPeople }))
    }
    await breakers.told(endpoint, sinceMs)
    log.warn({ host: new URL(url).host, owner, isTold: person !== undefined }, 'an endpoint is switched off')
  }
}
