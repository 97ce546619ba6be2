/** Tells "no such path" (404) from "not with this method" (405). */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './problem-json.ts'

export function addNotFound(app: FastifyInstance): void {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsOf.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    methodsOf.set(url, entry)
  })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const allowed = [...methodsOf.values()].find(({ pattern }) => pattern.test(path))?.methods
    if (!allowed) return sendProblem(new Problem(404, 'no-such-route', `there is nothing at ${path}`), reply)
    const allow = [...allowed].join(', ')
    reply.header('allow', allow)
    return sendProblem(new Problem(405, 'wrong-method', `${path} takes ${allow}`), reply)
  })
}

/** `/v1/people/:id` → what its paths look like; a parameter may have a form, `:id(^\\w+$)`, and `::` is a literal colon. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/(::|:\w+(?:\(\^.+?\$\))?)/)
    .map((part) => {
      if (part === '::') return ':'
      if (part.startsWith(':')) return /\(\^(.+)\$\)/.exec(part)?.[1] ?? '[^/]+'
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${source}$`)
}
