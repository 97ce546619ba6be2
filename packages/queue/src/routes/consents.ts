/** STOP and START: whether a person may be written to on a channel. */
import { consentBody, consentView, contactConsentBody } from '@courier-fleet/api-types'
import type { Agreeing, Person } from '@courier-fleet/directory'
import { personFor } from '../access/auth.ts'
import { type Caller, viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { admitContact } from '../people/inbound-contacts.ts'
import { consentParams } from './parameters.ts'

const tags = ['people']

const agreeing = ({ inboundChannel }: Caller, wording: string | undefined): Agreeing =>
  inboundChannel === undefined ? { by: 'page', wording } : { by: 'start' }

export function consentRoutes(app: App, { directory, audit, rateLimits, personWishes }: RouteDeps): void {
  /** @param agreed where the person says so: an operator lets messages go there, and agrees to nothing in their place */
  async function record(
    { caller, via, ...said }: { caller: Caller; via: string; agreed?: Agreeing; address?: string | undefined },
    person: Person,
    channel: string,
    allowed: boolean,
  ) {
    if (!(await directory.setConsent(channel, person.id, allowed, said)))
      unknown('contact', `${channel} of ${person.id}`)
    const action = allowed ? 'consent.given' : 'consent.withdrawn'
    await audit.write({ action, by: caller.owner, via, person: person.id, channel })
    return { person: person.id, channel, allowed, language: person.language }
  }

  app.put(
    '/people/:id/consents/:channel',
    {
      config: { problems: ['404 unknown-person', '404 unknown-contact'] },
      schema: {
        tags,
        operationId: 'putConsent',
        summary: 'Whether messages may go to this channel: by the person, or by an operator',
        description:
          '`allowed: false` is STOP: messages do not go to this channel of theirs. Only START, or linking it anew with a code, takes it back.',
        params: consentParams,
        body: consentBody,
        response: answers({ 200: consentView }),
      },
    },
    async ({ principal: caller, params, body }) => {
      const person = await personFor(directory, caller, params.id)
      const said = { agreed: agreeing(caller, body.wording), address: caller.inboundAddress }
      const own = caller.owner === person.id ? said : {}
      return record({ caller, via: viaOf(caller), ...own }, person, params.channel, body.allowed)
    },
  )

  app.post(
    '/consents',
    {
      config: { problems: ['404 unknown-contact', '422 unknown-type', '422 mandatory-type'] },
      schema: {
        tags,
        operationId: 'recordConsent',
        summary: 'STOP or START, as a contact wrote it; of a type of message, or of the whole channel',
        description:
          'By the inbound process of the channel. With a `type` only messages of that type stop, on every channel; the answer names the mandatory ones, which come all the same.',
        body: contactConsentBody,
        response: answers({ 200: consentView }),
      },
    },
    async ({ principal: caller, body: { channel, address, allowed, type } }) => {
      await admitContact(rateLimits, caller, channel, address)
      const whose = await directory.personOf(channel, address)
      const person = whose === undefined ? undefined : await directory.findPerson(whose)
      if (!person) unknown('contact', `${channel} ${address}`)
      if (type === undefined)
        return record({ caller, via: channel, agreed: { by: 'start' }, address }, person, channel, allowed)
      const by = { by: caller.owner, via: channel, channel }
      const { types } = await personWishes.switch(person.id, { type, isOn: allowed }, by)
      const mandatory = types.filter((each) => each.mandatory).map(({ id, name }) => ({ id, name }))
      return { person: person.id, channel, allowed, language: person.language, type, mandatory }
    },
  )
}
