/** That somebody has confirmed a message, as an inbound process hears it: recorded before anybody is answered. */
import { asksView, confirmationBody, confirmationView, historyKeyOf } from '@courier-fleet/api-types'
import { nothingToConfirm, parseRecord, readConfirmToken } from '@courier-fleet/store'
import { personFor } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { askByNumber, asksOf, beginningOf } from '../histories/asks.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { admitContact } from '../people/inbound-contacts.ts'
import { personParams } from './parameters.ts'

export function confirmationRoutes(app: App, { directory, histories, rateLimits, redis, clock }: RouteDeps): void {
  app.get(
    '/people/:id/confirmations',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags: ['people'],
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

  app.post(
    '/confirmations',
    {
      config: { problems: ['403 not-for-you', '404 unknown-contact', '404 unknown-confirmation', '409 older-text'] },
      schema: {
        tags: ['people'],
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
      const { language, timeZone } = person
      const text = beginningOf(parseRecord(snapshot.record ?? '').text)
      return { key: historyKeyOf(meant.ref), person: person.id, text, confirmed, language, timeZone }
    },
  )
}
