/** The operations of the service as its own OpenAPI document has them, and calls of them: whose things are meant, and with what. */

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  /** of a stream: what each of its lines is */
  readonly contentSchema?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OperationObject {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Operation {
  /** `GET /v1/people/{id}`, as rights.ts names it */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: readonly string[]
  /** of a body that is no JSON */
  readonly type: string | undefined
  readonly body: Schema | undefined
}

/** What the fields and parameters of a call are, by their names. */
export type Values = Readonly<Record<string, unknown>>

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const name = method.toUpperCase() as Operation['method']
      return {
        name: `${name} ${path}`,
        method: name,
        path,
        query: parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
        type: type === 'application/json' ? undefined : type,
        body: content?.schema,
      }
    }),
  )
}

/** A path of this operation, its parameters filled in. */
export function pathOf({ path, query }: Operation, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? 'none')))
  const given = query.filter((name) => values[`?${name}`] !== undefined)
  const search = new URLSearchParams(Object.fromEntries(given.map((name) => [name, String(values[`?${name}`])])))
  return given.length === 0 ? filled : `${filled}?${search}`
}

/** A body of this operation: what is required of it, and what `values` names beside. */
export function bodyOf({ body, type }: Operation, document: Document, values: Values): unknown {
  if (!body) return undefined
  if (type === 'text/csv') return 'id,name,role\nanna,Anna,student\n'
  const sample = sampleOf(type ? body.contentSchema : body, document, values)
  return type ? `${JSON.stringify(sample)}\n` : sample
}

function sampleOf(schema: Schema = {}, document: Document, values: Values): unknown {
  if (schema.$ref) return sampleOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], document, values)
  const variant = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (variant) return sampleOf(variant, document, values)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return [sampleOf(schema.items, document, values)]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  if (schema.type !== 'object') return 'x'
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name in values || schema.required?.includes(name),
  )
  return Object.fromEntries(
    wanted.map(([name, property]) => [name, name in values ? values[name] : sampleOf(property, document, values)]),
  )
}

/** The dotted paths of all fields of a JSON body, the optional ones, too. */
export function fieldsOf(schema: Schema | undefined, document: Document, at = '', depth = 0): string[] {
  if (!schema || depth > 4) return []
  if (schema.$ref)
    return fieldsOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], document, at, depth)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const inside = [
    ...variants.flatMap((variant) => fieldsOf(variant, document, at, depth + 1)),
    ...(schema.items ? fieldsOf(schema.items, document, `${at}.0`, depth + 1) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const path = at === '' ? name : `${at}.${name}`
      return [path, ...fieldsOf(property, document, path, depth + 1)]
    }),
  ]
  return [...new Set(schema.items ? [`${at}.0`, ...inside] : inside)]
}

/** A copy of `body` with another value at a dotted path. */
export function withField(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body) ?? {}
  const names = path.split('.').filter((name) => name !== '')
  let inside = copy as Record<string, unknown>
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) inside[name] = value
    else {
      if (typeof inside[name] !== 'object' || inside[name] === null) inside[name] = names[index + 1] === '0' ? [] : {}
      inside = inside[name] as Record<string, unknown>
    }
  }
  return copy
}
