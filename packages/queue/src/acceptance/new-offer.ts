/** A message whose key nobody was issued before. */
import { type MessageBody, Problem } from '@courier-fleet/api-types'
import { type Events, type Histories, type LiveSettings, newHistoryRef } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import { derivedHistoryId } from '../http/idempotency.ts'
import type { Offer } from './accept-message.ts'
import { mergeOf } from './merging.ts'

interface OfferDeps {
  readonly histories: Pick<Histories, 'latestReminder'>
  readonly events: Pick<Events, 'refOf' | 'newReminder'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly shards: number
}

/**
 * @param derivedId where a repeated call must find the same history
 * @throws Problem 422 `about-one-person` for a reminder to anybody but one person who is named
 */
export async function newOffer(
  { histories, events, settings, shards }: OfferDeps,
  body: MessageBody,
  by: Caller,
  derivedId: string | undefined,
): Promise<Offer> {
  const { about, event, to } = body
  if (about === undefined) {
    const ref =
      event === undefined
        ? // those that may go out as one lie in one shard, where one script sees them
          newHistoryRef(by.owner, shards, derivedId, mergeOf(settings.current().types, body)?.person)
        : events.newReminder(events.refOf(by.owner, event), derivedId)
    return { ref, issued: false, repeatable: derivedId !== undefined, body }
  }
  const [, person] = to.length === 1 ? (/^user:(.+)$/.exec(to[0] as string) ?? []) : []
  if (person === undefined) {
    throw new Problem(422, 'about-one-person', 'a message about something is for one person: "to": ["user:<id>"]', 'to')
  }
  const reminder = `${person}:${about}`
  // all that a sender has about anything for this person lie in one shard, with what may go out as one with them: where one script sees them
  const place = (id: string) => newHistoryRef(by.owner, shards, id, person)
  // those who ask at once offer the same history, whichever comes after the latest
  const latest = (await histories.latestReminder(place(''), reminder)) ?? ''
  const ref = place(derivedId ?? derivedHistoryId(by.owner, `${reminder}\n${latest}`))
  return { ref, issued: false, repeatable: true, reminder, body }
}
