/** /docs: the OpenAPI document as one plain page, without scripts and without anything from elsewhere. */

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
}
type Parameters = Readonly<Record<string, Parameter>>

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: unknown
  readonly responses?: Record<string, unknown>
}

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths?: Record<string, unknown>
  readonly components?: { readonly schemas?: Record<string, unknown>; readonly parameters?: unknown }
}

/** Its hash stands in the content security policy. */
export const docsStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
h2{font-size:1.1rem;margin:2rem 0 0}pre{overflow:auto;font-size:.85rem}p{margin:.3rem 0;white-space:pre-line}`

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string)

const json = (title: string, value: unknown) =>
  `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`

function operationHtml(method: string, path: string, operation: Operation, shared: Parameters): string {
  const all = (operation.parameters ?? []).flatMap((each) =>
    '$ref' in each ? (shared[each.$ref.split('/').at(-1) ?? ''] ?? []) : each,
  )
  const parameters = all.map(
    ({ name, in: where, required, description }) =>
      `<li><code>${escapeHtml(name)}</code> (${escapeHtml(where)}${required ? ', required' : ''}) ${escapeHtml(description ?? '')}</li>`,
  )
  return `<section>
<h2><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h2>
<p>${escapeHtml(operation.summary ?? '')}</p>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}
${operation.requestBody ? json('request body', operation.requestBody) : ''}
${json('answers', operation.responses ?? {})}
</section>`
}

export function docsPage({ info, paths = {}, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) =>
      operationHtml(method, path, operation, (components?.parameters ?? {}) as Parameters),
    ),
  )
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) => json(name, schema))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title>
<style>${docsStyle}</style></head>
<body><h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1>
<p>${escapeHtml(info.description ?? '')}</p><p><a href="/openapi.json">openapi.json</a></p>
${operations.join('\n')}
<h1>Schemas</h1>
${schemas.join('\n')}
</body></html>
`
}
