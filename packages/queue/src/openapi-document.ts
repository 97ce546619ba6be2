/** What the schemas of the routes do not say by themselves, added to the document that is made from them. */
import type { FastifyContextConfig } from 'fastify'
import { isUnsafe } from './callers.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  parameters?: Json[]
}
export interface OpenApiDocument extends Json {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, Json>; parameters?: Record<string, Json> }
}

/** What a route is, by its operation such as `POST /v1/messages`. */
export type RouteConfigs = ReadonlyMap<string, FastifyContextConfig>

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this call, such as a UUID. The same call again within a day is given the first answer, with `Idempotency-Replayed: true`, and nothing is done twice.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['order-4711'] },
}

/** Honoured by every unsafe call of somebody who has signed in, except those that only read. */
function takesIdempotencyKey(method: string, { right, idempotency }: FastifyContextConfig): boolean {
  return isUnsafe(method) && right !== undefined && right.least !== 'anyone' && idempotency !== 'reads'
}

export function completeDocument(document: OpenApiDocument, configs: RouteConfigs): OpenApiDocument {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = method.toUpperCase()
      if (!takesIdempotencyKey(name, configs.get(`${name} ${path}`) ?? {})) continue
      operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }]
    }
  }
  document.components.parameters = { IdempotencyKey: idempotencyKey }
  return withoutUnused(document)
}

const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string)

/** Each schema has a name as it is written and as it is read, of which often only one is used. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas, ...components } = document.components
  const used = new Set<string>()
  // grows while it is walked
  const found = namesIn({ ...document, components })
  for (const name of found) {
    if (used.has(name)) continue
    used.add(name)
    found.push(...namesIn(schemas[name] ?? {}))
  }
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
}
