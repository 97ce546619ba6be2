/** What the schemas of the routes do not say by themselves, added to the document that is made from them. */
import type { FastifyContextConfig } from 'fastify'
import { isUnsafe } from './callers.ts'
import type { Right } from './rights.ts'

type Json = Record<string, unknown>
interface Answer {
  description: string
  readonly content?: Record<string, { readonly schema?: Json }>
}
interface Operation extends Json {
  description?: string
  parameters?: Json[]
  readonly responses: Record<string, Answer>
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

/** Who may call it, as rights.ts says it. */
function whoMay({ least, lent }: Right): string {
  if (least === 'anyone') return 'Needs no API key.'
  if (least === 'inbound') return 'For an inbound process, by itself.'
  const through = lent === 'own-channel' ? ', about the channel of that contact' : ''
  const forOthers = lent === undefined ? '' : ` An inbound process may call it on behalf of a person${through}.`
  return `Needs the role ${least} or a higher one.${forOthers}`
}

/** Honoured by every unsafe call of somebody who has signed in, except those that only read. */
function takesIdempotencyKey(method: string, { right, idempotency }: FastifyContextConfig): boolean {
  return isUnsafe(method) && right !== undefined && right.least !== 'anyone' && idempotency !== 'reads'
}

export function completeDocument(document: OpenApiDocument, configs: RouteConfigs): OpenApiDocument {
  const { schemas } = document.components
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = method.toUpperCase()
      const { right } = configs.get(`${name} ${path}`) ?? {}
      if (right) operation.description = `${operation.description ?? ''}\n\n${whoMay(right)}`.trim()
      for (const answer of Object.values(operation.responses)) describeAnswer(answer, schemas)
      if (!takesIdempotencyKey(name, configs.get(`${name} ${path}`) ?? {})) continue
      operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }]
    }
  }
  document.components.parameters = { IdempotencyKey: idempotencyKey }
  return withoutUnused(document)
}

/** An answer is what its schema says it is. */
function describeAnswer(answer: Answer, schemas: Record<string, Json>): void {
  if (answer.description !== 'Default Response') return
  const [name] = namesIn(answer.content)
  const described = schemas[name ?? '']?.description
  if (typeof described === 'string') answer.description = described
}

const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string)

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
