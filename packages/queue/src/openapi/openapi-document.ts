/** What the schemas of the routes do not say by themselves, added to the document that is made from them. */
import type { FastifyContextConfig } from 'fastify'
import type { Right } from '../access/rights.ts'
import { headerParameters, headersOf } from './openapi-headers.ts'
import type { Answer, Json, OpenApiDocument } from './openapi-operation.ts'
import { addProblems, sharedProblems } from './openapi-problems.ts'
import { webhooks } from './openapi-webhooks.ts'

/** What a route is, by its operation such as `POST /v1/messages`. */
export type RouteConfigs = ReadonlyMap<string, FastifyContextConfig>

export function completeDocument(document: OpenApiDocument, configs: RouteConfigs): OpenApiDocument {
  const { schemas } = document.components
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [name, operation] of Object.entries(methods)) {
      const method = name.toUpperCase()
      const facts = { method, path, config: configs.get(`${method} ${path}`) ?? {} }
      const { right } = facts.config
      for (const answer of Object.values(operation.responses)) describeAnswer(answer, schemas)
      addProblems(facts, operation)
      const headers = headersOf(facts, operation)
      if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers]
      if (right) operation.description = `${operation.description ?? ''}\n\n${whoMay(right)}`.trim()
    }
  }
  for (const [name, schema] of Object.entries(schemas)) if (name.endsWith('Input')) sayDefaults(schema)
  document.components.parameters = headerParameters
  document.components.responses = sharedProblems
  return withoutUnused({ ...document, webhooks })
}

/** Who may call it, as rights.ts says it. */
function whoMay({ least, lent }: Right): string {
  if (least === 'anyone') return 'Needs no API key.'
  if (least === 'inbound') return 'For an inbound process, by itself.'
  if (least === 'presence')
    return 'Needs a key of the role presence, of an inbound process by itself, or of an operator.'
  const through = lent === 'own-channel' ? ', about the channel of that contact' : ''
  const forOthers = lent === undefined ? '' : ` An inbound process may call it on behalf of a person${through}.`
  return `Needs the role ${least} or a higher one.${forOthers}`
}

/** An answer is what its schema says it is. */
function describeAnswer(answer: Answer | { $ref: string }, schemas: Record<string, Json>): void {
  if ('$ref' in answer || answer.description !== 'Default Response') return
  const [name] = namesIn(answer.content)
  const described = schemas[name ?? '']?.description
  if (typeof described === 'string') answer.description = described
}

/**
 * Of a named shape that is written, what a field is when absent is said in words: generators of types take a `default` for a field
 * that is always there, and would have callers write it.
 */
function sayDefaults({ properties = {} }: Json): void {
  for (const property of Object.values(properties as Record<string, Json>)) {
    if (!('default' in property)) continue
    const { default: usual } = property
    delete property.default
    property.description = `${property.description}; \`${JSON.stringify(usual)}\` when absent`
  }
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
