import {
  agreementText,
  enrolmentBody,
  enrolmentView,
  greetingView,
  inboundAddressBody,
  lastingCodeLength,
  Problem,
  redeemBody,
} from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { hasAddress, type Person } from '@courier-fleet/directory'
import { personOfApplication } from '@courier-fleet/store'
import { mostOf, personFor } from '../access/auth.ts'
import { hasPowers, viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { askedBy, open } from '../people/applications.ts'
import { putInboundAddress } from '../people/enrolment-way.ts'
import { admitContact, requireOwnChannel } from '../people/inbound-contacts.ts'
import { channelParams } from './parameters.ts'

const tags = ['people']

export function enrolmentRoutes(app: App, deps: RouteDeps): void {
  addInboundAddress(app, deps)
  addIssue(app, deps)
  addRedeem(app, deps)
}

function addInboundAddress(app: App, { redis, audit }: RouteDeps): void {
  app.put(
    '/channels/:channel/inbound-address',
    {
      config: { problems: ['404 unknown-channel'] },
      schema: {
        tags: ['fleet'],
        operationId: 'putInboundAddress',
        summary: 'What people write to on this channel, as its inbound process says when it starts',
        description: 'Codes are issued with a URL and a QR code that lead there.',
        params: channelParams,
        body: inboundAddressBody,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, params: { channel }, body: { address } }, reply) => {
      if (!findChannel(channel)?.inbound) unknown('channel', channel)
      requireOwnChannel(caller, channel)
      const before = await putInboundAddress(redis, channel, address)
      if (before !== address) {
        const done = { by: caller.owner, via: viaOf(caller), channel }
        await audit.write({ action: 'inbound-address.changed', ...done, before: before ?? 'none', after: address })
      }
      return reply.code(204).send(null)
    },
  )
}

function addIssue(app: App, { directory, enrolments, rateLimits, audit }: RouteDeps): void {
  app.post(
    '/enrolments',
    {
      config: { problems: ['404 unknown-person', '429 too-many-codes'], idempotency: 'secret' },
      schema: {
        tags,
        operationId: 'issueEnrolmentCode',
        summary: 'A one-time code that links a contact: for yourself, by an operator for anyone',
        description:
          'Eight digits, good for ten minutes, once. The person types them into the channel that is to be linked, or opens `url` on a phone, by its camera from `qr`.',
        body: enrolmentBody,
        response: answers({ 201: enrolmentView }),
      },
    },
    async ({ principal: caller, body: { channel, person: id = caller.owner } }, reply) => {
      const { language } = await personFor(directory, caller, id)
      await rateLimits.count('enrolment', id)
      const { code, expiresMs, way } = await enrolments.issue(id, channel)
      await audit.write({ action: 'enrolment.issued', by: caller.owner, via: viaOf(caller), person: id, channel })
      reply.code(201)
      const agreement = agreementText('code', language).words
      return { code, person: id, channel, expiresAt: new Date(expiresMs).toISOString(), agreement, ...way }
    },
  )
}

const wrongCode = () => new Problem(403, 'wrong-code', 'this code is wrong, was used, or has lapsed', 'code')

function addRedeem(app: App, deps: RouteDeps): void {
  const { directory, enrolments, rateLimits, linkContact } = deps

  /** A contact of somebody with an operator's powers changes hands only after they have unlinked it themselves. */
  async function requireFree(channel: string, address: string, person: Person): Promise<void> {
    const [own] = await directory.contactsOf(channel, [person.id])
    const holder = await directory.personOf(channel, address)
    const other = holder === undefined || holder === person.id ? undefined : await directory.findPerson(holder)
    const isPowerful = (who: Person | undefined) => who !== undefined && hasPowers({ role: mostOf(directory, who) })
    const isReplaced = own !== undefined && !hasAddress(own, address)
    if (!(isPowerful(person) && isReplaced) && !isPowerful(other)) return
    const detail = `a ${channel} contact of an operator or admin is moved only once it was unlinked, signed in to the web`
    throw new Problem(403, 'unlink-first', detail, 'address')
  }

  async function greetApplicant(asked: NonNullable<ReturnType<typeof askedBy>>, address: string) {
    if (!(await open(deps, asked, address))) throw wrongCode()
    const { name, language, channel } = asked
    return {
      person: personOfApplication(asked.id),
      name,
      role: 'student' as const,
      language,
      channel,
      applied: true as const,
    }
  }

  app.post(
    '/enrolments::redeem',
    {
      config: {
        problems: [
          '403 wrong-code',
          '403 unlink-first',
          '429 too-many-codes',
          '429 too-many-applications',
          '422 bad-address',
        ],
      },
      schema: {
        tags,
        operationId: 'redeemEnrolmentCode',
        summary: 'Link the contact that typed a code; the same contact may repeat it',
        description:
          'The contact is taken from whoever had it. Of a code that somebody has who applies to be put into the list, the office sees the application from now on: `applied`. Wrong, used and lapsed codes are 403 `wrong-code` alike.',
        body: redeemBody,
        response: answers({ 200: greetingView }),
      },
    },
    async ({ principal: caller, body: { channel, address: given, code } }) => {
      await admitContact(rateLimits, caller, channel, given)
      const address = directory.storedAddress(channel, given)
      const contact = `${channel}:${address}`
      await rateLimits.count('redeem', contact)
      const isLasting = code.length === lastingCodeLength
      await rateLimits.count(isLasting ? 'redeem-key-lasting' : 'redeem-key', caller.keyId ?? '')
      const id = await enrolments.redeem(channel, address, code)
      if (id === undefined) throw wrongCode()
      await rateLimits.forgive('redeem', contact)
      const asked = askedBy(id)
      if (asked) return greetApplicant(asked, address)
      const person = (await directory.findPerson(id)) ?? unknown('person', id)
      await requireFree(channel, address, person)
      await linkContact(channel, id, address, {
        by: caller.owner,
        via: channel,
        consents: true,
        agreed: { by: 'code', wording: agreementText('code', person.language).id },
      })
      const role = directory.rightsOf(person.role) ?? 'student'
      return { person: id, name: person.name, role, language: person.language, channel }
    },
  )
}
