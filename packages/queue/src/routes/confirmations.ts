/** That somebody has confirmed a message, as an inbound process hears it: recorded before anybody is answered. */
import { confirmationBody, confirmationView, historyKeyOf } from '@courier-fleet/api-types'
import { nothingToConfirm, readConfirmToken } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../fastify-app.ts'
import { admitContact } from '../inbound-contacts.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'

export function confirmationRoutes(app: App, { directory, histories, rateLimits, redis }: RouteDeps): void {
  app.post(
    '/confirmations',
    {
      config: { problems: ['403 not-for-you', '404 unknown-contact', '404 unknown-confirmation'] },
      schema: {
        tags: ['people'],
        operationId: 'confirmMessage',
        summary: 'A contact has confirmed a message',
        description:
          'By the inbound process of the channel, with what the button carried. The first confirmation of a person counts, whatever has become of the message since; ' +
          'repeating it changes nothing. The contact must be that of whom the button was sent to.',
        body: confirmationBody,
        response: answers({ 200: confirmationView }),
      },
    },
    async ({ principal: caller, body: { channel, address, token } }) => {
      await admitContact(rateLimits, caller, channel, address)
      const id = await directory.personOf(channel, address)
      const person = id === undefined ? undefined : await directory.findPerson(id)
      if (!person) unknown('contact', `${channel} ${address}`)
      const meant = await readConfirmToken(redis, token)
      const snapshot = meant && (await histories.snapshot(meant.ref))
      if (!meant || !snapshot) throw nothingToConfirm()
      const confirmed = await histories.confirm(snapshot, { ordinal: meant.ordinal, person: person.id, channel })
      const { language, timeZone } = person
      return { key: historyKeyOf(meant.ref), person: person.id, confirmed, language, timeZone }
    },
  )
}
