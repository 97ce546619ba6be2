/** Tells "no such path" (404) from "not with this method" (405). */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem-json.ts'

interface Path {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

export function addNotFound(app: FastifyInstance): void {
  const methodsOf = new Map<string, Path>()
  const actions = new Set<Path>()

  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsOf.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    methodsOf.set(url, entry)
    if (isAction(url)) actions.add(entry)
  })

  const refuse = (path: string, methods: ReadonlySet<string>, reply: FastifyReply) => {
    const allow = [...methods].join(', ')
    reply.header('allow', allow)
    return sendProblem(new Problem(405, 'wrong-method', `${path} takes ${allow}`), reply)
  }

  // with another method the path of an action would be taken for a thing whose id ends in `:retry`
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request)
    if (path.includes(':')) {
      for (const { pattern, methods } of actions)
        if (pattern.test(path) && !methods.has(request.method)) return void refuse(path, methods, reply)
    }
    done()
  })

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = [...methodsOf.values()].find(({ pattern }) => pattern.test(path))?.methods
    if (!allowed) return sendProblem(new Problem(404, 'no-such-route', `there is nothing at ${path}`), reply)
    return refuse(path, allowed, reply)
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] as string

/** On one thing, such as `/histories/:key(^.+$)::retry`: the colon follows a parameter. */
const isAction = (url: string) => /\)::\w+$/.test(url)

/** `/v1/people/:id` → what its paths look like, not yet decoded; a parameter may have a form, `:id(^\\w+$)`, and `::` is a literal colon. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/(::|:\w+(?:\(\^.+?\$\))?)/)
    .map((part) => {
      if (part === '::') return ':'
      if (part.startsWith(':')) return /\(\^(.+)\$\)/.exec(part)?.[1]?.replace('[\\s\\S]', '[^/]') ?? '[^/]+'
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${source}$`)
}
