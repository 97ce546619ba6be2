/**
 * Links of mail that confirm a message. Looking changes nothing, for scanners open every link of a message; the button of the page does, by a
 * POST. Nobody signs in: the link is signed, for one message, person and mailbox.
 */
import type { Person } from '@courier-fleet/directory'
import {
  type Confirmation,
  parseRecord,
  personAt,
  readConfirmations,
  readConfirmLink,
  type Snapshot,
  textNumber,
} from '@courier-fleet/store'
import { languageOf } from '@courier-fleet/words'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { beginningOf } from '../histories/asks.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content } from '../openapi/openapi.ts'
import { type ConfirmPage, type ConfirmState, confirmField, confirmPage } from '../pages/confirm-page.ts'
import { formType, plainPageHeaders } from '../pages/plain-page.ts'

const channel = 'mail'
const linkParams = z.strictObject({
  token: z
    .string()
    .describe('what the link carries')
    .meta({ examples: ['05.9f86d081884c7d65.2s.AbCdEfGhIjk'] }),
})
const page = content('text/html', 'page', z.string())
/** it says one thing */
const maxBodyBytes = 512
const statuses: Readonly<Record<ConfirmState, number>> = {
  offer: 200,
  done: 200,
  unknown: 404,
  older: 409,
  'no-button': 400,
  'too-often': 429,
}

export function confirmLinkRoutes(app: App, deps: RouteDeps): void {
  app.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  )
  const schema = { tags: ['mail'], security: [], params: linkParams, response: answers({ 200: page }) }

  app.get(
    '/:token',
    {
      exposeHeadRoute: true,
      schema: {
        ...schema,
        operationId: 'showConfirmation',
        summary: 'What a link of a mail would confirm; confirms nothing',
        description: 'A page with a button, in the language of the person. Looking at it changes nothing.',
      },
    },
    async ({ params, headers }, reply) =>
      send(reply, await pageFor(deps, params.token, headers['accept-language'], 'look')),
  )
  app.post(
    '/:token',
    {
      bodyLimit: maxBodyBytes,
      schema: {
        ...schema,
        operationId: 'confirmByLink',
        summary: 'The button of that page, with the body confirm=yes; may be repeated',
        description:
          'The person to whose mailbox the link was sent has confirmed the message. Needs no API key: the link is signed.',
      },
    },
    async ({ params, headers, body }, reply) =>
      send(
        reply,
        await pageFor(deps, params.token, headers['accept-language'], isPressed(body) ? 'confirm' : 'refuse'),
      ),
  )
}

const send = (reply: FastifyReply, page: ConfirmPage) =>
  reply.code(statuses[page.state]).headers(plainPageHeaders).send(confirmPage(page))

const isPressed = (body: unknown): boolean =>
  typeof body === 'string' && new URLSearchParams(body).get(confirmField.name) === confirmField.value

/** Whose message it is, as the link says and the mailbox proves. */
interface Meant extends Confirmation {
  readonly owner: Person
  readonly snapshot: Snapshot
}

async function pageFor(
  deps: RouteDeps,
  token: string,
  speaks: string | undefined,
  act: 'look' | 'confirm' | 'refuse',
): Promise<ConfirmPage> {
  const meant = await read(deps, token)
  if (!meant) return { language: languageOf(speaks ?? ''), state: 'unknown' }
  const { owner, snapshot, ordinal, version } = meant
  const language = languageOf(owner.language)
  if (act === 'refuse') return { language, state: 'no-button' }
  if ((await deps.rateLimits.hit('one-click', owner.id)) > 0) return { language, state: 'too-often' }
  const record = parseRecord(snapshot.record ?? '')
  const { text, confirm: asked } = record
  const shown = { language, text: beginningOf(text) }
  const by = { ordinal, version, person: owner.id, channel }
  if (version !== textNumber(record)) return { ...shown, state: 'older' }
  const confirmed = act === 'confirm' ? await deps.histories.confirm(snapshot, by) : await known(deps, meant)
  if (!confirmed) return { ...shown, state: 'offer', asked }
  return { ...shown, state: 'done', at: momentIn(confirmed.at, owner) }
}

/** @returns undefined where the link was not made for the mailbox that its person has now */
async function read({ redis, directory, histories }: RouteDeps, token: string): Promise<Meant | undefined> {
  const link = await readConfirmLink(redis, token)
  const snapshot = link && (await histories.snapshot(link.ref))
  const person = snapshot && (await personAt(redis, snapshot, link.ordinal))
  if (!link || !snapshot?.hash.confirm || person === undefined) return undefined
  const [owner, [contact]] = await Promise.all([directory.findPerson(person), directory.contactsOf(channel, [person])])
  const version = contact && link.versionFor(contact.address)
  if (!owner || version === undefined) return undefined
  return { ref: link.ref, ordinal: link.ordinal, version, owner, snapshot }
}

const known = async ({ redis }: RouteDeps, { ref, ordinal, snapshot: { hash } }: Meant) =>
  (await readConfirmations(redis, { ref, hash, from: ordinal, to: ordinal + 1 }))(ordinal)

const momentIn = (at: string, { language, timeZone }: Person) =>
  new Date(at).toLocaleString(languageOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone })
