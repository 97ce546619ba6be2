/** A message whose key nobody was issued before. */
import { type MessageBody, Problem } from '@courier-fleet/api-types'
import { type Events, type Histories, type LiveSettings, newHistoryRef } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import { derivedHistoryId } from '../http/idempotency.ts'
import type { Offer } from './draft.ts'
import { mergeOf } from './merging.ts'

interface OfferDeps {
  readonly histories: Pick<Histories, 'place' | 'placeReminder'>
  readonly events: Pick<Events, 'refOf' | 'newReminder'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly shards: number
}

/**
 * @param derivedId where a repeated call must find the same history
 * @throws Problem 422 `about-one-person` for a reminder to anybody but one person who is named
 */
export function newOffer(
  deps: OfferDeps,
  body: MessageBody,
  by: Caller,
  derivedId: string | undefined,
): Offer | Promise<Offer> {
  if (body.about !== undefined) return newReminder(deps, body, body.about, by, derivedId)
  if (body.event !== undefined || derivedId !== undefined) return newPlaced(deps, body, by, derivedId)
  const ref = newHistoryRef(by.owner, deps.shards, undefined, sharing(deps, body))
  return { ref, issued: false, repeatable: false, body }
}

/** Those that may go out as one lie in one shard, where one script sees them: as this person has it. */
const sharing = ({ settings }: OfferDeps, body: MessageBody) => mergeOf(settings.current().types, body)?.person

/** Where it lies somebody has to be asked. */
async function newPlaced(
  deps: OfferDeps,
  body: MessageBody,
  by: Caller,
  derivedId: string | undefined,
): Promise<Offer> {
  const { histories, events } = deps
  const offer = { issued: false, repeatable: derivedId !== undefined, body }
  if (body.event !== undefined)
    return { ref: events.newReminder(await events.refOf(by.owner, body.event), derivedId), ...offer }
  return { ...(await histories.place(by.owner, derivedId as string, sharing(deps, body))), ...offer }
}

async function newReminder(
  { histories }: OfferDeps,
  body: MessageBody,
  about: string,
  by: Caller,
  derivedId: string | undefined,
): Promise<Offer> {
  const { to } = body
  const [, person] = to.length === 1 ? (/^user:(.+)$/.exec(to[0] as string) ?? []) : []
  if (person === undefined) {
    throw new Problem(422, 'about-one-person', 'a message about something is for one person: "to": ["user:<id>"]', 'to')
  }
  const reminder = `${person}:${about}`
  // those who ask at once offer the same history, whichever comes after the latest
  const idAfter = (latest: string) => derivedId ?? derivedHistoryId(by.owner, `${reminder}\n${latest}`)
  const placed = await histories.placeReminder(by.owner, reminder, idAfter)
  return { ...placed, issued: false, repeatable: true, reminder, isOnlyAbout: derivedId === undefined, body }
}
