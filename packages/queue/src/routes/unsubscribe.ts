/**
 * One-click addresses of mail (RFC 8058). Looking changes nothing, for scanners open every link of a message; a POST that says so does,
 * from a mail program or by the button of the page. Nobody signs in: the address itself is signed.
 */
import { defaultType, Problem, typeOf } from '@courier-fleet/api-types'
import type { Person } from '@courier-fleet/directory'
import { isOneClickOf, type OneClickRead, oneClickSecret, readOneClickPath } from '@courier-fleet/store'
import { languageOf } from '@courier-fleet/words'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content } from '../openapi/openapi.ts'
import { formType, plainPageHeaders } from '../pages/plain-page.ts'
import { type UnsubscribePage, type UnsubscribeState, unsubscribePage } from '../pages/unsubscribe-page.ts'

const channel = 'mail'
const path = '/:type/:history/:person/:mailbox/:signature'
const part = (description: string, example: string) =>
  z
    .string()
    .describe(description)
    .meta({ examples: [example] })
const pathParams = z.strictObject({
  type: part('id of the type of the message', 'news'),
  history: part('history key of the message', '07.admin.V1StGXR8_Z5jdHi6B-myT'),
  person: part('id of the person', 's-ekn-101-01'),
  mailbox: part('hash of the mailbox', 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is'),
  signature: part('by which the address is known to be ours', 'LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g'),
})
const page = content('text/html', 'page', z.string())
/** it says one thing, as a form or in parts */
const maxBodyBytes = 2048
const bodyTypes = [formType, 'multipart/form-data']
const statuses: Readonly<Record<UnsubscribeState, number>> = {
  offer: 200,
  done: 200,
  mandatory: 409,
  gone: 410,
  'no-button': 400,
  unknown: 404,
  'too-often': 429,
}

export function unsubscribeRoutes(app: App, deps: RouteDeps): void {
  const secret = remembered(() => oneClickSecret(deps.redis))
  app.addContentTypeParser(bodyTypes, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  )
  const pathOf = ({ type, history, person, mailbox, signature }: z.infer<typeof pathParams>) =>
    [type, history, person, mailbox, signature].join('/')
  const schema = { tags: ['mail'], security: [], params: pathParams, response: answers({ 200: page }) }

  app.get(
    path,
    {
      exposeHeadRoute: true,
      schema: {
        ...schema,
        operationId: 'showUnsubscribe',
        summary: 'What a one-click address of a mail would end; ends nothing',
        description: 'A page with a button, in the language of the person. Looking at it changes nothing.',
      },
    },
    async ({ params, headers }, reply) => {
      const meant = readOneClickPath(await secret(), pathOf(params))
      return send(reply, await pageFor(deps, meant, headers['accept-language'], offer))
    },
  )
  app.post(
    path,
    {
      bodyLimit: maxBodyBytes,
      schema: {
        ...schema,
        operationId: 'unsubscribe',
        summary: 'One click, with the body List-Unsubscribe=One-Click (RFC 8058); may be repeated',
        description:
          'Switches off the type of the message on mail, or mail altogether where it had none. Needs no API key: the address is signed.',
      },
    },
    async ({ params, headers, body }, reply) => {
      const meant = readOneClickPath(await secret(), pathOf(params))
      return send(reply, await pageFor(deps, meant, headers['accept-language'], isOneClick(body) ? switchOff : refuse))
    },
  )
}

/** Asked for again where it could not be read. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

const send = (reply: FastifyReply, page: UnsubscribePage) =>
  reply.code(statuses[page.state]).headers(plainPageHeaders).send(unsubscribePage(page))

/** In both forms that RFC 8058 names. */
function isOneClick(body: unknown): boolean {
  if (typeof body !== 'string') return false
  if (new URLSearchParams(body).get('List-Unsubscribe') === 'One-Click') return true
  return /name="?List-Unsubscribe"?[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\nOne-Click\r?\n/i.test(body)
}

/** Whoever has the mailbox, and what they do not want. */
interface Meant extends OneClickRead {
  readonly owner: Person
}

type Act = (deps: RouteDeps, meant: Meant) => Promise<UnsubscribeState>

async function pageFor(
  deps: RouteDeps,
  read: OneClickRead | undefined,
  speaks: string | undefined,
  act: Act,
): Promise<UnsubscribePage> {
  if (!read) return { language: languageOf(speaks ?? ''), state: 'unknown' }
  const [owner, waitMs] = await Promise.all([
    deps.directory.findPerson(read.person),
    deps.rateLimits.hit('one-click', read.person),
  ])
  const [contact] = owner ? await deps.directory.contactsOf(channel, [owner.id]) : []
  const language = languageOf(owner?.language ?? '')
  if (!owner || !contact || !isOneClickOf(read, contact.address)) return { language, state: 'gone' }
  if (waitMs > 0) return { language, state: 'too-often' }
  const state = await act(deps, { ...read, owner })
  if (read.type === defaultType) return { language, state }
  const { types } = await deps.personWishes.view(owner.id)
  const mandatory = types.filter((type) => type.mandatory).map(({ name }) => name[language])
  const { id, name } = typeOf(deps.settings.current().types, read.type)
  return { language, state, id, type: types.some((each) => each.id === id) ? name[language] : id, mandatory }
}

async function offer({ settings }: RouteDeps, { type }: Meant): Promise<UnsubscribeState> {
  const isMandatory = type !== defaultType && typeOf(settings.current().types, type).optOut === 'mandatory'
  return isMandatory ? 'mandatory' : 'offer'
}

const refuse: Act = async () => 'no-button'

/** Of messages without a type, all of this mailbox: there is nothing else that would not come. May be repeated. */
async function switchOff({ directory, personWishes, audit }: RouteDeps, meant: Meant): Promise<UnsubscribeState> {
  const { owner, type, history } = meant
  const by = { by: owner.id, via: channel, channel, history }
  if (type === defaultType) {
    const [contact] = await directory.contactsOf(channel, [owner.id])
    if (contact?.state === 'opted-out') return 'done'
    await directory.setConsent(channel, owner.id, false)
    await audit.write({ action: 'consent.withdrawn', ...by, person: owner.id })
    return 'done'
  }
  try {
    await personWishes.switch(owner.id, { type, channel, isOn: false, isOffered: true }, by)
    return 'done'
  } catch (error) {
    if (error instanceof Problem && error.code === 'mandatory-type') return 'mandatory'
    throw error
  }
}
