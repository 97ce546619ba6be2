/** What an inbound process hears of its contacts: who wrote can be written to, who has blocked us cannot. */
import { heardBody, heardView } from '@courier-fleet/api-types'
import { eachOf } from '@courier-fleet/directory'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { admitContact } from '../people/inbound-contacts.ts'

export function heardRoutes(app: App, { directory, rateLimits, audit }: RouteDeps): void {
  app.post(
    '/contacts::hear',
    {
      config: { problems: ['404 unknown-contact'] },
      schema: {
        tags: ['people'],
        operationId: 'hearContact',
        summary: 'A contact wrote, allows messages, or has blocked them',
        description:
          'Whoever wrote can be written to again, whatever the provider said before; a STOP stays until START.',
        body: heardBody,
        response: answers({ 200: heardView }),
      },
    },
    async ({ principal: caller, body: { channel, address: given, heard } }) => {
      await admitContact(rateLimits, caller, channel, given)
      const id = await directory.personOf(channel, given)
      const person = id === undefined ? undefined : await directory.findPerson(id)
      if (!person) unknown('contact', `${channel} ${given}`)
      const address = directory.storedAddress(channel, given)
      const isOpen = heard !== 'denied'
      if (await directory.hearContact(channel, person.id, address, isOpen)) {
        const action = isOpen ? 'contact.reachable' : 'contact.blocked'
        await audit.write({ action, by: caller.owner, via: channel, person: person.id, channel })
      }
      const [contact] = await directory.contactsOf(channel, [person.id])
      const own = eachOf(contact).find((each) => each.address === address)
      if (!own) unknown('contact', `${channel} ${given}`)
      return { person: person.id, channel, state: own.state, language: person.language }
    },
  )
}
