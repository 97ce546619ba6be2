/** Calls of the API as its own OpenAPI document has them, so that whatever it offers can be called by its name. */
import { nearest } from '@courier-fleet/api-types'
import { UsageError } from './usage-error.ts'

interface ParameterObject {
  readonly name: string
  readonly in: string
  readonly required?: boolean
}
interface Reference {
  readonly $ref: string
}
interface OperationObject {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, ParameterObject>> }
}

export interface Operation {
  readonly id: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly ParameterObject[]
  /** what its body is; absent where it takes none */
  readonly bodyType: string | undefined
}

export function operationsIn({ paths, components }: OpenApiDocument): Operation[] {
  const named = (each: ParameterObject | Reference) =>
    '$ref' in each ? (components.parameters?.[each.$ref.replace(/^.*\//, '')] ?? []) : each
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary = '', parameters = [], requestBody }]) => ({
      id: operationId,
      summary,
      method: method.toUpperCase(),
      path,
      parameters: parameters.flatMap(named),
      bodyType: Object.keys(requestBody?.content ?? {})[0],
    })),
  )
}

/** @throws UsageError */
export function findOperation(operations: readonly Operation[], id: string): Operation {
  const found = operations.find((each) => each.id === id)
  if (found) return found
  const ids = operations.map((each) => each.id)
  const meant = nearest(id, ids)
  throw new UsageError(
    `there is no operation "${id}"; ${meant === undefined ? '"fleet api" lists them' : `did you mean ${meant}?`}`,
  )
}

interface PreparedCall {
  /** with the query */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** @param given `name=value` of its parameters, wherever they go. @throws UsageError */
export function prepare({ id, path, parameters, bodyType }: Operation, given: readonly string[]): PreparedCall {
  const values = new Map(given.map(pairOf))
  const names = parameters.map(({ name }) => name)
  const unknown = [...values.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`${id} takes no ${unknown}; it takes ${names.join(', ') || 'nothing but its body'}`)
  const missing = parameters.filter(({ name, required }) => required && !values.has(name)).map(({ name }) => name)
  if (missing.length > 0) throw new UsageError(`${id} needs ${missing.map((name) => `${name}=…`).join(' ')}`)
  const of = (where: string) =>
    parameters.flatMap(({ name, in: place }): [string, string][] => {
      const value = values.get(name)
      return place === where && value !== undefined ? [[name, value]] : []
    })
  const filled = of('path').reduce((at, [name, value]) => at.replaceAll(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(of('query')).toString()
  const type = bodyType === undefined ? {} : { 'content-type': bodyType }
  return { path: query ? `${filled}?${query}` : filled, headers: { ...type, ...Object.fromEntries(of('header')) } }
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`parameters are name=value, not "${text}"; a body goes into --body`)
  return [text.slice(0, at), text.slice(at + 1)]
}
