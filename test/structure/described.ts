/** What an OpenAPI document leaves unsaid: who only has the document must learn from it what everything means, and see one of each. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly description?: string
  readonly example?: unknown
  readonly examples?: unknown
  readonly schema: Schema
}
interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export interface Document {
  readonly paths: Paths
  readonly webhooks?: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

/** Of these one sees what they may be without an example. */
const telling = ['examples', 'enum', 'const', 'default', '$ref']

function hasExample(schema: Schema): boolean {
  if (telling.some((keyword) => keyword in schema) || schema.type === 'boolean' || schema.type === 'null') return true
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (variants) return variants.every(hasExample)
  if (schema.items) return hasExample(schema.items)
  if (typeof schema.additionalProperties === 'object') return hasExample(schema.additionalProperties)
  // its properties have theirs
  return schema.type === 'object'
}

/** Of all that is inside a schema; a name of `components` is looked at where it stands. */
function gapsInside(schema: Schema, at: string): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    ...[...anyOf, ...oneOf, ...allOf].flatMap((variant) => gapsInside(variant, at)),
    ...(items ? gapsInside(items, `${at}[]`) : []),
    ...(typeof additionalProperties === 'object' ? gapsInside(additionalProperties, `${at}.*`) : []),
    ...Object.entries(properties).flatMap(([name, property]) => gapsOfOne(property, `${at}.${name}`)),
  ]
}

function gapsOfOne(schema: Schema, at: string): string[] {
  return [
    ...(schema.description || schema.$ref ? [] : [`${at} has no description`]),
    ...(hasExample(schema) ? [] : [`${at} has no example`]),
    ...gapsInside(schema, at),
  ]
}

function gapsOfParameter({ $ref, name, schema, description, ...shown }: Parameter, at: string): string[] {
  if ($ref) return []
  const where = `${at} ?${name}`
  return [
    ...(description ? [] : [`${where} has no description`]),
    ...('example' in shown || 'examples' in shown || hasExample(schema) ? [] : [`${where} has no example`]),
  ]
}

/** Who may call it is said of all, from rights.ts. */
const saysMore = ({ description = '' }: Operation) => !/^(Needs |For an inbound |$)/.test(description)

function gapsOfOperation(operation: Operation, at: string): string[] {
  const contents = [operation.requestBody, ...Object.values(operation.responses)].map((part) => part?.content ?? {})
  const schemas = contents.flatMap((content) => Object.values(content).flatMap(({ schema }) => schema ?? []))
  return [
    ...(/^[a-z][A-Za-z]+$/.test(operation.operationId ?? '') ? [] : [`${at} has no operationId such as sendMessage`]),
    ...(operation.summary ? [] : [`${at} has no summary`]),
    ...(saysMore(operation) ? [] : [`${at} has no description`]),
    ...(operation.parameters ?? []).flatMap((parameter) => gapsOfParameter(parameter, at)),
    ...Object.entries(operation.responses)
      .filter(([, { $ref, description }]) => !$ref && (!description || description === 'Default Response'))
      .map(([status]) => `${at} does not say what ${status} means`),
    ...schemas.flatMap((schema) => gapsInside(schema, at)),
  ]
}

/** @returns sentences, each once and in order; none when all is said */
export function gapsOf({ paths, webhooks = {}, components }: Document): string[] {
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      gapsOfOperation(operation, `${method.toUpperCase()} ${path}`),
    ),
  )
  const parameters = Object.values(components.parameters ?? {}).flatMap((each) => gapsOfParameter(each, 'components'))
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    ...(schema.description ? [] : [`${name} has no description`]),
    ...gapsInside(schema, name),
  ])
  return [...new Set([...operations, ...parameters, ...schemas])].sort()
}
