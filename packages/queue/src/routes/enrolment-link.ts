/** Links that show somebody the code by which they link a contact. Looking changes nothing, however often a scanner does it; nobody signs in: the link is signed. */
import { languageOf } from '@courier-fleet/words'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content } from '../openapi/openapi.ts'
import { type EnrolmentPage, enrolmentPage } from '../pages/enrolment-page.ts'
import { plainPageHeaders } from '../pages/plain-page.ts'
import { readEnrolmentLink } from '../people/enrolment-link.ts'
import { enrolmentWays } from '../people/enrolment-way.ts'

const linkParams = z.strictObject({
  token: z
    .string()
    .describe('what the link carries')
    .meta({ examples: ['telegram.471108151620.mr0k1c.AbCdEfGhIjKlMnOpQrStUv'] }),
})
const statuses: Readonly<Record<EnrolmentPage['state'], number>> = {
  offer: 200,
  used: 410,
  unknown: 404,
  'too-often': 429,
}

export function enrolmentLinkRoutes(app: App, deps: RouteDeps): void {
  app.get(
    '/:token',
    {
      exposeHeadRoute: true,
      schema: {
        tags: ['people'],
        security: [],
        operationId: 'showEnrolmentCode',
        summary: 'The code that a link of a group sheet stands for; uses nothing up',
        description:
          'A page with the code, its QR code and where it is sent, in the language of the person. Needs no API key: the link is signed, and good as long as the code.',
        params: linkParams,
        response: answers({ 200: content('text/html', 'page', z.string()) }),
      },
    },
    async ({ params, headers }, reply) => {
      const page = await pageFor(deps, params.token, headers['accept-language'])
      return reply.code(statuses[page.state]).headers(plainPageHeaders).send(enrolmentPage(page))
    },
  )
}

async function pageFor(
  { redis, directory, enrolments, rateLimits, clock }: RouteDeps,
  token: string,
  speaks = '',
): Promise<EnrolmentPage> {
  const unknown = { state: 'unknown', language: languageOf(speaks) } as const
  const link = await readEnrolmentLink(redis, token, clock.now())
  if (!link) return unknown
  const { channel, code, expiresMs } = link
  const found = await enrolments.look(channel, code)
  const person = found && (await directory.findPerson(found.person))
  if (!person) return unknown
  const language = languageOf(person.language)
  if ((await rateLimits.hit('one-click', person.id)) > 0) return { state: 'too-often', language }
  if (found.isUsed) return { state: 'used', language }
  const ways = await enrolmentWays(redis, channel)
  const expiresAt = new Date(expiresMs).toISOString()
  const strip = { person, channel, code, expiresAt, to: ways?.to, url: ways?.urlOf(code) }
  return { state: 'offer', strip }
}
