/**
 * The pages on which somebody who is not in the list asks to be put into it. Nobody signs in. Looking changes nothing; what is posted keeps a code for ten
 * minutes and nothing else, until the code comes from the contact.
 */

import { hiddenIn, Problem } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import { readApplication } from '@courier-fleet/store'
import { type Language, languageOf } from '@courier-fleet/words'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { networkOf } from '../access/network.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content } from '../openapi/openapi.ts'
import {
  type ApplyState,
  applyCode,
  applyForm,
  applyPageHeaders,
  applyRefused,
  applyState,
} from '../pages/apply-page.ts'
import { formType, plainPageHeaders } from '../pages/plain-page.ts'
import { readGroupLink, readOwnLink, signOwnLink } from '../people/application-links.ts'
import { ask } from '../people/applications.ts'
import { enrolmentWays } from '../people/enrolment-way.ts'

/** two lines and a choice, each character escaped */
const maxBodyBytes = 4096
const maxLength = 100
const params = z.strictObject({
  token: z
    .string()
    .describe('what the link carries')
    .meta({ examples: ['ivt-101.mr0k1c00.AbCdEfGhIjKlMnOpQrStUv'] }),
})
const response = answers({ 200: content('text/html', 'page', z.string()) })
const schema = { tags: ['people'], security: [], response }

interface Target {
  /** empty: none */
  readonly group: string
  readonly name?: string | undefined
}

export function applyRoutes(app: App, deps: RouteDeps): void {
  app.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  )
  addForms(app, deps)
  addOwnPage(app, deps)
}

function addForms(app: App, deps: RouteDeps): void {
  const show = 'Where somebody applies to be put into the list; looking changes nothing'
  const description = 'A page with a form. Needs no API key.'
  app.get(
    '',
    { schema: { ...schema, operationId: 'showApplicationForm', summary: show, description } },
    (request, reply) => showForm(deps, request, reply, { group: '' }),
  )
  app.get(
    '/:token',
    {
      schema: {
        ...schema,
        params,
        operationId: 'showGroupApplicationForm',
        summary: `${show}; for one group`,
        description,
      },
    },
    async (request, reply) => {
      const target = await targetOf(deps, request.params.token)
      return target ? showForm(deps, request, reply, target) : send(reply, 404, applyState(speaks(request), 'unknown'))
    },
  )
  const post = 'That form: answers with a page that shows a code'
  const posted = 'Nothing is kept but a code, until it is sent from the contact within ten minutes. Needs no API key.'
  app.post(
    '',
    { schema: { ...schema, operationId: 'apply', summary: post, description: posted }, bodyLimit: maxBodyBytes },
    (request, reply) => take(deps, request, reply, { group: '' }),
  )
  app.post(
    '/:token',
    {
      schema: {
        ...schema,
        params,
        operationId: 'applyForGroup',
        summary: `${post}; for one group`,
        description: posted,
      },
      bodyLimit: maxBodyBytes,
    },
    async (request, reply) => {
      const target = await targetOf(deps, request.params.token)
      return target ? take(deps, request, reply, target) : send(reply, 404, applyState(speaks(request), 'unknown'))
    },
  )
}

const speaks = ({ headers }: Pick<FastifyRequest, 'headers'>): Language => languageOf(headers['accept-language'] ?? '')

const send = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).headers(plainPageHeaders).send(page)

async function targetOf({ redis, directory, clock }: RouteDeps, token: string): Promise<Target | undefined> {
  const link = await readGroupLink(redis, token, clock.now())
  const group = link && (await directory.getGroup(link.group))
  return group && { group: group.id, name: group.name }
}

/** Those on which people can send a code now. */
async function openChannels({ redis }: RouteDeps): Promise<string[]> {
  const ways = await Promise.all(channels.map(async ({ name }) => ((await enrolmentWays(redis, name)) ? [name] : [])))
  return ways.flat()
}

async function showForm(deps: RouteDeps, request: FastifyRequest, reply: FastifyReply, { name }: Target) {
  const form = { language: speaks(request), group: name, channels: await openChannels(deps) }
  return send(reply, 200, applyForm(form))
}

async function take(deps: RouteDeps, request: FastifyRequest, reply: FastifyReply, { group, name }: Target) {
  const language = speaks(request)
  const filled = Object.fromEntries(new URLSearchParams(typeof request.body === 'string' ? request.body : ''))
  const open = await openChannels(deps)
  const [who, wish] = [lineOf(filled.name), group === '' ? lineOf(filled.wish) : '']
  const channel = open.find((each) => each === filled.channel)
  if (who === undefined || wish === undefined || channel === undefined)
    return send(reply, 400, applyForm({ language, group: name, channels: open, filled, wrong: true }))
  if (!(await hasRoom(deps))) return send(reply, 503, applyState(language, 'full'))
  if ((await deps.rateLimits.hit('apply', networkOf(request.ip))) > 0)
    return send(reply, 429, applyState(language, 'too-often'))
  if ((await deps.rateLimits.hit('apply-all', 'everybody')) > 0) return send(reply, 429, applyState(language, 'full'))
  const { id, code, expiresMs } = await ask(deps, { name: who, group, wish, language, channel })
  const token = await signOwnLink(deps.redis, { id, channel, code, codeUntilMs: expiresMs })
  return reply.redirect(`/a/own/${token}`, 303)
}

async function hasRoom({ redisRoom }: RouteDeps): Promise<boolean> {
  try {
    await redisRoom.require()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** One line that says something, and nothing in it that nobody sees. */
function lineOf(text = ''): string | undefined {
  const line = text.trim().replace(/\s+/g, ' ')
  return /\p{L}/u.test(line) && hiddenIn(line) === undefined && line.length <= maxLength ? line : undefined
}

const statuses: Readonly<Partial<Record<ApplyState, number>>> = { unknown: 404, lapsed: 410 }

function addOwnPage(app: App, deps: RouteDeps): void {
  app.get(
    '/own/:token',
    {
      schema: {
        ...schema,
        params,
        operationId: 'showApplication',
        summary: 'The code of an applicant, and then what has become of the application',
        description: 'For whoever has the link, which the form leads to. Looking changes nothing.',
      },
    },
    async (request, reply) => {
      const language = speaks(request)
      const tell = (state: ApplyState) => send(reply, statuses[state] ?? 200, applyState(language, state))
      const link = await readOwnLink(deps.redis, request.params.token)
      if (!link) return tell('unknown')
      const found = await readApplication(deps.redis, link.id, deps.clock.now())
      if (found?.state === 'refused') return send(reply, 200, applyRefused(language, found.answer))
      if (found) return tell(found.state === 'accepted' ? 'accepted' : 'open')
      if (link.codeUntilMs <= deps.clock.now()) return tell('lapsed')
      const { channel, code } = link
      const ways = await enrolmentWays(deps.redis, channel)
      const page = applyCode({ language, channel, code, to: ways?.to, url: ways?.urlOf(code) })
      return reply.code(200).headers(applyPageHeaders).send(page)
    },
  )
}
