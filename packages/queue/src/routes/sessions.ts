/** Signing in to the web with a code, and who is calling. */
import { Problem, sessionBody, sessionView, signInAnswer, signInBody } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { type Caller, viaOf } from '../callers.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { setSessionCookie } from '../session-cookie.ts'
import { csrfTokenOf } from '../sessions.ts'

const tags = ['sessions']
const iso = (ms: number) => new Date(ms).toISOString()

export function sessionRoutes(app: App, deps: RouteDeps): void {
  addSignIn(app, deps)
  addCurrentSession(app, deps)
}

async function viewOf({ directory, quota }: RouteDeps, caller: Caller) {
  const [person, limits] = await Promise.all([directory.findPerson(caller.owner), quota.limits(caller)])
  const { owner, role, source, session } = caller
  return {
    owner,
    role,
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
      schema: {
        tags,
        security: [],
        summary: 'Have a sign-in code sent to your own channels',
        description: 'The answer is the same whether there is such a person or not.',
        body: signInBody,
        response: answers({ 202: signInAnswer }),
      },
    },
    async ({ body, ip }, reply) => {
      reply.code(202)
      return { expiresAt: iso(await signIns.request(body, ip)) }
    },
  )

  app.post(
    '/sessions',
    {
      schema: {
        tags,
        security: [],
        summary: 'Sign in with the code; sets the session cookie',
        body: sessionBody,
        response: answers({ 201: sessionView }),
      },
    },
    async (request, reply) => {
      const { code, ...who } = request.body
      const person = await signIns.check(who, code, request.ip)
      const session = await sessions.open(person.id)
      await audit.write({ action: 'session.opened', by: person.id, via: 'web', person: person.id })
      setSessionCookie(request, reply, session.token)
      reply.code(201)
      return viewOf(deps, { owner: person.id, role: person.role, source: 'web', session, credential: session.token })
    },
  )
}

function addCurrentSession(app: App, deps: RouteDeps): void {
  const { sessions, audit } = deps

  app.get(
    '/sessions/current',
    {
      schema: { tags, summary: 'Who is calling', response: answers({ 200: sessionView }) },
    },
    ({ principal }) => viewOf(deps, principal),
  )

  app.delete(
    '/sessions/current',
    {
      schema: { tags, summary: 'Sign out', response: answers({ 204: z.null() }) },
    },
    async (request, reply) => {
      const { principal: caller } = request
      if (!caller.session) throw new Problem(404, 'no-session', 'this call has no session to end')
      await sessions.close(caller.session.token)
      await audit.write({ action: 'session.closed', by: caller.owner, via: viaOf(caller), person: caller.owner })
      setSessionCookie(request, reply, '')
      return reply.code(204).send(null)
    },
  )
}
