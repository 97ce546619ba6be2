/** The problems that the OpenAPI document says an operation may be answered: whatever else comes is a gap in the document. */
import type { App } from '../src/index.ts'
import type { OpenApiDocument, Operation } from '../src/openapi/openapi-operation.ts'

export interface DeclaredProblems {
  /** @param problem such as `404 unknown-person`. @throws Error when the document does not say it of this operation */
  expect(method: string, url: string, problem: string): void
}

/** by the routes of a service: each makes its document anew, and with the same routes it is the same */
const documents = new Map<string, OpenApiDocument>()

function documentOf(app: App): OpenApiDocument {
  const routes = app.printRoutes()
  const document = documents.get(routes) ?? (app.swagger() as unknown as OpenApiDocument)
  documents.set(routes, document)
  return document
}

export function declaredProblems(app: App): DeclaredProblems {
  const document = documentOf(app)
  // what has no parameters comes first: /members/me before /members/{person}
  const paths = Object.keys(document.paths)
    .sort((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/:]*')}$`) }))

  return {
    expect(method, url, problem) {
      const at = url.split('?', 1)[0] as string
      const { path } = paths.find(({ pattern }) => pattern.test(at)) ?? {}
      const operation = document.paths[path ?? '']?.[method.toLowerCase()]
      if (!operation || codesOf(document, operation).has(problem)) return
      throw new Error(
        `${method} ${path} answered ${problem}: name it in \`config: { problems: ['${problem}'] }\` of the route`,
      )
    },
  }
}

function codesOf({ components }: OpenApiDocument, { responses }: Operation): Set<string> {
  const found = Object.entries(responses).flatMap(([status, response]) => {
    const said = '$ref' in response ? components.responses?.[response.$ref.split('/').at(-1) ?? ''] : response
    const codes = JSON.stringify(said).matchAll(/"code":\{"enum":(\[[^\]]*\])/g)
    return [...codes].flatMap(([, list]) => (JSON.parse(list ?? '[]') as string[]).map((code) => `${status} ${code}`))
  })
  return new Set(found)
}
