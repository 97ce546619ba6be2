import { enrolmentBody, enrolmentView, greetingView, Problem, redeemBody } from '@courier-fleet/api-types'
import type { RouteDeps } from '../app-deps.ts'
import { personFor } from '../auth.ts'
import { requireChannel, viaOf } from '../callers.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'

const tags = ['people']

export function enrolmentRoutes(app: App, { directory, enrolments, rateLimits, audit }: RouteDeps): void {
  app.post(
    '/enrolments',
    {
      config: { idempotency: 'secret' },
      schema: {
        tags,
        summary: 'A one-time code that links a contact: for yourself, by an operator for anyone',
        body: enrolmentBody,
        response: answers({ 201: enrolmentView }),
      },
    },
    async ({ principal: caller, body: { channel, person: id = caller.owner } }, reply) => {
      await personFor(directory, caller, id)
      await rateLimits.count('enrolment', id)
      const { code, expiresMs } = await enrolments.issue(id, channel)
      await audit.write({ action: 'enrolment.issued', by: caller.owner, via: viaOf(caller), person: id, channel })
      reply.code(201)
      return { code, person: id, channel, expiresAt: new Date(expiresMs).toISOString() }
    },
  )

  app.post(
    '/enrolments::redeem',
    {
      schema: {
        tags,
        summary: 'Link the contact that typed a code; the same contact may repeat it',
        body: redeemBody,
        response: answers({ 200: greetingView }),
      },
    },
    async ({ principal: caller, body: { channel, address: given, code } }) => {
      requireChannel(caller, channel)
      const address = directory.storedAddress(channel, given)
      const contact = `${channel}:${address}`
      await rateLimits.count('redeem', contact)
      const id = await enrolments.redeem(channel, address, code)
      if (id === undefined) throw new Problem(403, 'wrong-code', 'this code is wrong, was used, or has lapsed', 'code')
      await rateLimits.forgive('redeem', contact)
      const person = (await directory.findPerson(id)) ?? unknown('person', id)
      const { takenFrom } = await directory.linkContact(channel, id, address, { consents: true })
      const done = { by: caller.owner, via: channel, channel, detail: contact }
      if (takenFrom !== undefined) await audit.write({ action: 'contact.taken', person: takenFrom, ...done })
      await audit.write({ action: 'contact.linked', person: id, ...done })
      return { person: id, name: person.name, role: person.role, language: person.language, channel }
    },
  )
}
