/** The fields of a schema as a list people read, for the reference page. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly contentSchema?: Schema
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs[sign] as string)
/** A sentence; what stands between backticks is code. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? ''
const linkTo = (name: string) => `<a href="#schema-${name}">${name}</a>`
const json = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`

/** In a few words, such as `array of string`. */
function kindOf(schema: Schema): string {
  const { $ref, type, items, additionalProperties, anyOf, oneOf, contentSchema } = schema
  if ($ref) return linkTo(nameOf($ref))
  if (contentSchema) return `a stream of ${kindOf(contentSchema)}`
  const variants = anyOf ?? oneOf
  if (variants) return [...new Set(variants.map(kindOf))].join(' or ')
  if ('const' in schema) return json(schema.const)
  if (schema.enum) return schema.enum.map(json).join(' or ')
  if (items) return `array of ${kindOf(items)}`
  if (typeof additionalProperties === 'object') return `object of ${kindOf(additionalProperties)} by name`
  return escapeHtml([type ?? 'anything'].flat().join(' or '))
}

function fieldHtml(name: string, schema: Schema, isRequired: boolean): string {
  const { description, examples, default: usual } = schema
  const said = [
    prose(description ?? ''),
    examples?.length ? `e.g. ${json(examples[0])}` : '',
    usual === undefined ? '' : `${json(usual)} when absent`,
  ].filter((part) => part !== '')
  const head = `<dt><code>${escapeHtml(name)}</code> <span>${kindOf(schema)}${isRequired ? ', required' : ''}</span></dt>`
  return `${head}<dd>${said.join('; ')}${fieldsHtml(schema)}</dd>`
}

/** All fields inside; a shape with a name is a link to where it stands. */
export function fieldsHtml(schema: Schema): string {
  const { properties = {}, required = [], items, additionalProperties, anyOf = [], oneOf = [] } = schema
  const fields = Object.entries(properties).map(([name, each]) => fieldHtml(name, each, required.includes(name)))
  const inside = [items, additionalProperties, ...anyOf, ...oneOf].filter((part) => typeof part === 'object')
  return (fields.length > 0 ? `<dl>${fields.join('')}</dl>` : '') + inside.map(fieldsHtml).join('')
}

/** What it is, and its fields. */
export const schemaHtml = (schema: Schema): string => `<p>${kindOf(schema)}</p>${fieldsHtml(schema)}`
