/** Any call of the API by its operationId, for what has no command of its own. */
import { ApiError, piecesOf, UnreachableError } from '@courier-fleet/client'
import type { Call } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { fileOrPiped, readNamed, typedOrPiped } from '../input.ts'
import { findOperation, type OpenApiDocument, type Operation, operationsIn, prepare } from '../openapi-call.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export const api = defineCommand({
  name: 'api',
  summary: 'Call any operation of the API by its name; list them when none is named',
  parameters: [
    { name: 'operation', optional: true },
    { name: 'name=value', optional: true, multiple: true },
  ],
  options: {
    body: { type: 'string', value: 'BODY', about: 'what is sent: JSON as text, @file, or - for stdin' },
  },
  exits: { 0: 'done; the answer stands on stdout' },
  async execute(call) {
    const { values, parameters, answer, terminal } = call
    const [id, ...given] = parameters
    const operations = operationsIn((await (await open(call, '/openapi.json')).json()) as OpenApiDocument)
    if (id === undefined) {
      answer({ operations }, () => listOf(operations))
      return 0
    }
    const operation = findOperation(operations, id)
    const { path, headers } = prepare(operation, given)
    const body = await bodyOf(operation, values.body, terminal)
    const response = await open(call, path, {
      method: operation.method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    await print(response, terminal)
    return 0
  },
})

const listOf = (operations: readonly Operation[]) =>
  table([
    ['operation', 'call', 'does'],
    ...operations.map(({ id, method, path, summary }) => [id, `${method} ${path}`, summary]),
  ])

/** @throws ApiError · UnreachableError */
async function open({ fleet }: Pick<Call, 'fleet'>, path: string, request: RequestInit = {}): Promise<Response> {
  const { apiUrl, apiKey } = fleet()
  const headers = { ...request.headers, authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}${path}`, { ...request, headers }).catch((error) => {
    throw new UnreachableError(`${apiUrl} does not answer`, error)
  })
  if (!response.ok) throw await ApiError.from(response)
  return response
}

/** @throws UsageError */
async function bodyOf({ id, bodyType }: Operation, text: string | undefined, terminal: Terminal) {
  if (text === undefined) return undefined
  if (bodyType === undefined) throw new UsageError(`${id} takes no body`)
  // bytes, and no text
  if (bodyType === 'application/octet-stream' && text.startsWith('@'))
    return new Blob([Uint8Array.from(await readNamed(text.slice(1)))])
  const body = text.startsWith('@') ? await fileOrPiped(text.slice(1), terminal) : await typedOrPiped(text, terminal)
  if (bodyType === 'application/json') checkJson(body)
  return body
}

function checkJson(text: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--body is no JSON: ${(error as Error).message}`)
  }
}

/** JSON so that it can be read; whatever is streamed, line by line as it comes. */
async function print(response: Response, { out }: Terminal): Promise<void> {
  if (
    response.headers.get('content-type')?.includes('json') &&
    !response.headers.get('content-type')?.includes('ndjson')
  ) {
    const text = await response.text()
    if (text !== '') out(JSON.stringify(JSON.parse(text), null, 2))
    return
  }
  for await (const line of piecesOf(response.body, '\n')) out(line.replace(/\r$/, ''))
}
