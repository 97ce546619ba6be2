/** Signing in to the web with a code, and who is calling. */
import {
  findRole,
  id,
  Problem,
  sessionBody,
  sessionList,
  sessionView,
  signInAnswer,
  signInBody,
} from '@courier-fleet/api-types'
import { z } from 'zod'
import { personFor } from '../access/auth.ts'
import { type Caller, viaOf } from '../access/callers.ts'
import { keepBrowserCookie, readBrowserCookie, setSessionCookie } from '../access/cookies.ts'
import { networkOf } from '../access/network.ts'
import { principalOf } from '../access/principal-of.ts'
import { csrfTokenOf, sessionIdOf } from '../access/sessions.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'

const tags = ['sessions']
const iso = (ms: number) => new Date(ms).toISOString()

export function sessionRoutes(app: App, deps: RouteDeps): void {
  addSignIn(app, deps)
  addCurrentSession(app, deps)
  addSessions(app, deps)
}

async function viewOf({ directory, quota, settings }: RouteDeps, caller: Caller) {
  const [person, limits] = await Promise.all([directory.findPerson(caller.owner), quota.limits(caller)])
  const { owner, role, ownRole, source, session } = caller
  const own = findRole(settings.current().roles, ownRole)
  return {
    owner,
    role,
    ...(own ? { ownRole: { id: own.id, name: own.name } } : {}),
    ...(source ? { source } : {}),
    ...(person ? { person: { name: person.name, timeZone: person.timeZone, language: person.language } } : {}),
    limits,
    ...(session ? { csrfToken: csrfTokenOf(session), expiresAt: iso(session.expiresMs) } : {}),
  }
}

function addSignIn(app: App, deps: RouteDeps): void {
  const { signIns, sessions, audit } = deps

  app.post(
    '/sign-ins',
    {
      config: { problems: ['429 too-many-codes'] },
      schema: {
        tags,
        security: [],
        operationId: 'requestSignInCode',
        summary: 'Have a sign-in code sent to your own channels',
        description:
          'The answer is the same whether there is such a person or not. It sets a cookie: the code is good in this browser alone.',
        body: signInBody,
        response: answers({ 202: signInAnswer }),
      },
    },
    async (request, reply) => {
      const expiresMs = await signIns.request(request.body, keepBrowserCookie(request, reply), networkOf(request.ip))
      reply.code(202)
      return { expiresAt: iso(expiresMs) }
    },
  )

  app.post(
    '/sessions',
    {
      config: { problems: ['403 wrong-code', '429 too-many-codes'] },
      schema: {
        tags,
        security: [],
        operationId: 'openSession',
        summary: 'Sign in with the code; sets the session cookie',
        description:
          'The browser that asked for the code has ten minutes and five tries. Sets the cookie; every unsafe call with it needs the `csrfToken` of the answer.',
        body: sessionBody,
        response: answers({ 201: sessionView }),
      },
    },
    async (request, reply) => {
      const { code, ...who } = request.body
      const person = await signIns.check(who, code, readBrowserCookie(request), networkOf(request.ip))
      const session = await sessions.open(person.id)
      await audit.write({ action: 'session.opened', by: person.id, via: 'web', person: person.id })
      setSessionCookie(request, reply, session.token)
      reply.code(201)
      const principal = await principalOf(deps.settings, person)
      return viewOf(deps, { ...principal, source: 'web', session, credential: session.token })
    },
  )
}

function addCurrentSession(app: App, deps: RouteDeps): void {
  const { sessions, audit } = deps

  app.get(
    '/sessions/current',
    {
      schema: {
        tags,
        operationId: 'readCaller',
        summary: 'Who is calling',
        description:
          'The owner, the role and the limits of this API key, session or person an inbound process speaks for.',
        response: answers({ 200: sessionView }),
      },
    },
    ({ principal }) => viewOf(deps, principal),
  )

  app.delete(
    '/sessions/current',
    {
      config: { problems: ['404 no-session'] },
      schema: {
        tags,
        operationId: 'closeSession',
        summary: 'Sign out',
        description:
          'Ends the session of this call, and removes the cookie. With an API key there is no session to end: 404 `no-session`.',
        response: answers({ 204: done }),
      },
    },
    async (request, reply) => {
      const { principal: caller } = request
      if (!caller.session) throw new Problem(404, 'no-session', 'this call has no session to end')
      await sessions.close(caller.owner, sessionIdOf(caller.session.token))
      await audit.write({ action: 'session.closed', by: caller.owner, via: viaOf(caller), person: caller.owner })
      setSessionCookie(request, reply, '')
      return reply.code(204).send(null)
    },
  )
}

const sessionParams = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'the id of a session')
    .describe('id of a session, as the list has it')
    .meta({ examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'] }),
})

function addSessions(app: App, { sessions, directory, audit }: RouteDeps): void {
  app.get(
    '/sessions',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'Browsers that are signed in: your own, or by an operator anyone’s of no higher role',
        description: 'A session ends twelve hours after its last call, and after seven days at the latest.',
        querystring: z.strictObject({
          person: id
            .optional()
            .describe('yourself when absent')
            .meta({ examples: ['t-gus'] }),
        }),
        response: answers({ 200: sessionList }),
      },
    },
    async ({ principal: caller, query: { person = caller.owner } }) => {
      if (person !== caller.owner) await personFor(directory, caller, person)
      const current = caller.session && sessionIdOf(caller.session.token)
      const found = await sessions.list(person)
      return {
        sessions: found.map(({ id, openedMs, expiresMs }) => ({
          id,
          openedAt: iso(openedMs),
          expiresAt: iso(expiresMs),
          current: id === current,
        })),
      }
    },
  )

  app.delete(
    '/sessions/:id',
    {
      config: { problems: ['404 unknown-session'] },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session: your own, or by an operator anyone’s of no higher role',
        description: 'Whoever uses it has to sign in again.',
        params: sessionParams,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, params: { id } }, reply) => {
      const owner = (await sessions.ownerOf(id)) ?? unknown('session', id)
      // whoever may not end it is not told that it is there
      if (owner !== caller.owner) {
        await personFor(directory, caller, owner).catch((error: unknown) => {
          throw error instanceof Problem ? unknown('session', id) : error
        })
      }
      await sessions.close(owner, id)
      await audit.write({ action: 'session.closed', by: caller.owner, via: viaOf(caller), person: owner })
      return reply.code(204).send(null)
    },
  )
}
