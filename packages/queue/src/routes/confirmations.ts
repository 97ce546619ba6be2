/** That somebody has confirmed a message: as an inbound process hears it, recorded before anybody is answered, or signed in. */
import {
  asksView,
  type ConfirmationView,
  confirmationBody,
  confirmationView,
  historyKeyOf,
  ownConfirmationBody,
  Problem,
  parseHistoryKey,
} from '@courier-fleet/api-types'
import type { Person } from '@courier-fleet/directory'
import { nothingToConfirm, parseRecord, readConfirmToken, type Snapshot, signedIn } from '@courier-fleet/store'
import { personFor } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { askByNumber, asksOf, beginningOf } from '../histories/asks.ts'
import { mayHaveSeen } from '../histories/person-receipts.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { admitContact } from '../people/inbound-contacts.ts'
import { personKeyParams, personParams } from './parameters.ts'

const tags = ['people']

export function confirmationRoutes(app: App, deps: RouteDeps): void {
  addAsks(app, deps)
  addInbound(app, deps)
  addOwn(app, deps)
}

function addAsks(app: App, { directory, histories, redis, clock }: RouteDeps): void {
  app.get(
    '/people/:id/confirmations',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags,
        operationId: 'listAsks',
        summary: 'What a person is asked to confirm by a number, as in a text message',
        description:
          'For the person and for operators: of the last 30 days, as long as the messages are kept. Where a channel has buttons there are no numbers.',
        params: personParams,
        response: answers({ 200: asksView }),
      },
    },
    async ({ principal: caller, params }) => {
      const person = await personFor(directory, caller, params.id)
      return asksOf({ redis, histories }, person, clock.now())
    },
  )
}

function addInbound(app: App, { directory, histories, rateLimits, redis, clock }: RouteDeps): void {
  app.post(
    '/confirmations',
    {
      config: { problems: ['403 not-for-you', '404 unknown-contact', '404 unknown-confirmation', '409 older-text'] },
      schema: {
        tags,
        operationId: 'confirmMessage',
        summary: 'A contact has confirmed a message',
        description:
          'By the inbound process of the channel, with what the button carried, or the number that was written back. The first confirmation of a person counts, whatever has become of the message since; ' +
          'repeating it changes nothing. Of a message that was corrected since, only its newest text is confirmed. The contact must be that of whom the button was sent to.',
        body: confirmationBody,
        response: answers({ 200: confirmationView }),
      },
    },
    async ({ principal: caller, body: { channel, address, token, number = '' } }) => {
      await admitContact(rateLimits, caller, channel, address)
      const id = await directory.personOf(channel, address)
      const person = id === undefined ? undefined : await directory.findPerson(id)
      if (!person) unknown('contact', `${channel} ${address}`)
      const meant =
        token === undefined
          ? await askByNumber(redis, person.id, number, clock.now())
          : await readConfirmToken(redis, token)
      const snapshot = meant && (await histories.snapshot(meant.ref))
      if (!meant || !snapshot) throw nothingToConfirm()
      const { ordinal, version } = meant
      const confirmed = await histories.confirm(snapshot, { ordinal, version, person: person.id, channel })
      return kept(snapshot, person, confirmed)
    },
  )
}

function addOwn(app: App, { directory, histories }: RouteDeps): void {
  app.put(
    '/people/:id/confirmations/:key',
    {
      config: { problems: ['404 unknown-person', '404 unknown-confirmation', '409 older-text'] },
      schema: {
        tags,
        operationId: 'confirmOwnMessage',
        summary: 'You have read a message that asks to be confirmed',
        description:
          'For the person themself, of what has reached them; nobody confirms for somebody else. The first confirmation counts, by whatever channel, and repeating it changes nothing. ' +
          'It is of the text that was read: 409 `older-text` where the message was corrected since.',
        params: personKeyParams,
        body: ownConfirmationBody,
        response: answers({ 200: confirmationView }),
      },
    },
    async ({ principal: caller, params, body: { version } }) => {
      if (params.id !== caller.owner) throw new Problem(403, 'not-allowed', 'people confirm for themselves alone', 'id')
      const person = (await directory.findPerson(params.id)) ?? unknown('person', params.id)
      const ref = parseHistoryKey(params.key)
      const [own] = await histories.ofPerson([ref], person.id)
      const snapshot = own && mayHaveSeen(own) ? await histories.snapshot(ref) : undefined
      if (!own || !snapshot) throw nothingToConfirm()
      const by = { ordinal: own.receipt.ordinal, version, person: person.id, channel: signedIn.name }
      return kept(snapshot, person, await histories.confirm(snapshot, by))
    },
  )
}

function kept(snapshot: Snapshot, person: Person, confirmed: ConfirmationView['confirmed']): ConfirmationView {
  const { id, language, timeZone } = person
  const text = beginningOf(parseRecord(snapshot.record ?? '').text)
  return { key: historyKeyOf(snapshot.ref), person: id, text, confirmed, language, timeZone }
}
