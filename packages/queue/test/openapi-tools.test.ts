/** What tools of others make of the OpenAPI document: Redocly's rules, and types that compile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { type Service, startService } from './service.ts'

/** as one that has read nothing but the types would write it */
const callers = {
  right: `
    import type { components, operations, paths, webhooks } from './types.ts'
    export const least: components['schemas']['MessageInput'] = { to: ['role:trainer'], text: 'Fire drill at noon' }
    export const body: paths['/v1/messages']['post']['requestBody']['content']['application/json'] = least
    type Sent = operations['sendMessage']['responses']
    export const accepted = (answer: Sent[201]['content']['application/json']): string => answer.key
    export const waited = (answer: Sent[202]['content']['application/json']): boolean => answer.settled
    export const there = (answer: Sent[200]['content']['application/json']): string => answer.key
    export const person: components['schemas']['PersonInput'] = { name: 'Anna', role: 'student' }
    export const refused = (problem: Sent[409]['content']['application/problem+json']): 'same-again' | string => problem.code
    export type Called = webhooks
  `,
  wrong: `
    import type { components, operations } from './types.ts'
    export const toNobody: components['schemas']['MessageInput'] = { text: 'Fire drill at noon' }
    export const key = (answer: operations['sendMessage']['responses'][202]['content']['application/json']) => answer.key
  `,
}

describe('the OpenAPI document, in the hands of others', () => {
  let service: Service
  let source: string
  before(async () => {
    service = await startService()
    source = (await service.call('/openapi.json')).text
  })
  after(() => service.stop())

  it('follows the rules of Redocly, its examples included', async () => {
    const examples = ['no-invalid-schema-examples', 'no-invalid-media-type-examples', 'no-invalid-parameter-examples']
    const rules = {
      ...Object.fromEntries(examples.map((rule) => [rule, 'error'] as const)),
      // what needs no API key refuses nobody
      'operation-4xx-response': 'off' as const,
    }
    const config = await createConfig({ extends: ['recommended'], rules })
    const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    expect(found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).to.deep.equal(
      [],
    )
  })

  it('gives types with which a message of two fields compiles, and a wrong one does not', async () => {
    const types = astToString(await openapiTypes(source))
    const dir = await mkdtemp(join(tmpdir(), 'openapi-types-'))
    try {
      await writeFile(join(dir, 'types.ts'), types)
      const files = Object.keys(callers).map((name) => join(dir, `${name}.ts`))
      for (const [at, text] of Object.values(callers).entries()) await writeFile(files[at] as string, text)
      const options = {
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        module: ts.ModuleKind.NodeNext,
        types: [],
      }
      const errors = ts.getPreEmitDiagnostics(ts.createProgram(files, options))
      const errorsIn = (name: keyof typeof callers) =>
        errors
          .filter(({ file }) => file?.fileName.endsWith(`${name}.ts`))
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      expect(errorsIn('right')).to.deep.equal([])
      expect(errors).to.have.length(2)
      expect(errorsIn('wrong').join()).to.match(/'to' is missing.*'key' does not exist/s)
    } finally {
      await rm(dir, { recursive: true })
    }
  })
})
