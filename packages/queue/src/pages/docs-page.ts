/** /docs: the OpenAPI document as one page that can be searched and printed; nothing is loaded from elsewhere. */
import { docsScript, docsStyle } from './docs-assets.ts'
import { escapeHtml, fieldsHtml, prose, type Schema, schemaHtml } from './docs-schema.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema?: Schema
}
interface Content {
  readonly schema?: Schema
  readonly example?: unknown
}
interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}
type Ref = { readonly $ref: string }

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | Ref)[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Answer | Ref>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface Components {
  readonly schemas?: Readonly<Record<string, Schema>>
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly responses?: Readonly<Record<string, Answer>>
}

export interface DocsDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Paths
  readonly webhooks?: Paths
  readonly components?: Components
}

const resolved = <T extends object>(each: T | Ref, named: Readonly<Record<string, T>> = {}): T | undefined =>
  '$ref' in each ? named[(each as Ref).$ref.split('/').at(-1) ?? ''] : each

function parameterHtml({ name, in: where, required, description = '', example, schema }: Parameter): string {
  const shown = example ?? schema?.examples?.[0]
  const said = shown === undefined ? '' : `; e.g. <code>${escapeHtml(JSON.stringify(shown))}</code>`
  return `<dt><code>${escapeHtml(name)}</code> <span>${escapeHtml(where)}${required ? ', required' : ''}</span></dt><dd>${prose(description.replace(/\.$/, ''))}${said}</dd>`
}

function bodyHtml(content: Readonly<Record<string, Content>>, { schemas }: Components): string {
  return Object.entries(content)
    .map(([type, { schema = {}, example }]) => {
      const shown = example ?? resolved<Schema>(schema as Schema | Ref, schemas)?.examples?.[0]
      const sample = shown === undefined ? '' : `<pre tabindex="0">${escapeHtml(JSON.stringify(shown, null, 2))}</pre>`
      return `<p><code>${escapeHtml(type)}</code></p>${schemaHtml(schema)}${sample}`
    })
    .join('')
}

function answersHtml(responses: Operation['responses'], components: Components): string {
  const all = Object.entries(responses).flatMap(([status, answer]) => {
    const said = resolved<Answer>(answer, components.responses)
    return said ? [[status, said] as const] : []
  })
  return all
    .map(([status, { description, content = {} }]) => {
      const own = Object.fromEntries(Object.entries(content).filter(([type]) => type !== 'application/problem+json'))
      return `<dt><code>${status}</code></dt><dd>${prose(description)}${bodyHtml(own, components)}</dd>`
    })
    .join('')
}

function operationHtml(title: string, operation: Operation, components: Components): string {
  const { operationId = '', summary = '', description = '', requestBody, responses } = operation
  const parameters = (operation.parameters ?? []).flatMap(
    (each) => resolved<Parameter>(each, components.parameters) ?? [],
  )
  return `<article id="${operationId}"><h3><a href="#${operationId}"><code>${escapeHtml(title)}</code></a></h3>
<p><strong>${prose(summary)}</strong> <code>${operationId}</code></p><p>${prose(description)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4><dl>${parameters.map(parameterHtml).join('')}</dl>` : ''}
${requestBody ? `<h4>Body</h4>${bodyHtml(requestBody.content, components)}` : ''}
<h4>Answers</h4><dl>${answersHtml(responses, components)}</dl></article>`
}

interface Shown {
  readonly title: string
  readonly operation: Operation
}
const shownOf = (paths: Paths, titleOf: (method: string, path: string) => string): Shown[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: titleOf(method.toUpperCase(), path), operation })),
  )

const groupHtml = (name: string, about: string, inside: readonly string[]) =>
  inside.length === 0 ? '' : `<section><h2>${escapeHtml(name)}</h2><p>${prose(about)}</p>${inside.join('\n')}</section>`

export function docsPage({ info, tags = [], paths = {}, webhooks = {}, components = {} }: DocsDocument): string {
  const operations = shownOf(paths, (method, path) => `${method} ${path}`)
  const calls = shownOf(webhooks, (method, name) => `${name}: ${method} to your URL`)
  const htmlOf = ({ title, operation }: Shown) => operationHtml(title, operation, components)
  const groups = tags.map(({ name, description = '' }) =>
    groupHtml(name, description, operations.filter(({ operation }) => operation.tags?.[0] === name).map(htmlOf)),
  )
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3><p>${prose(schema.description ?? '')}</p>${fieldsHtml(schema)}</article>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${docsStyle}</style></head>
<body><header><h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1>
<search hidden><label>Search <input type="search" placeholder="send, unknown-person, If-Match …" autocomplete="off"></label> <output></output></search></header>
<main><p>${prose(info.description ?? '')}</p><p><a href="/openapi.json">openapi.json</a></p>
${groups.join('\n')}
${groupHtml('webhooks', 'What the fleet calls: signed as standard-webhooks 1.0.0 has it, and repeated until it is answered 2xx', calls.map(htmlOf))}
${groupHtml('schemas', 'Shapes that many calls have', schemas)}
</main><script>${docsScript}</script></body></html>
`
}
