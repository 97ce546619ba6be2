import { hash } from 'node:crypto'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  summary?: string
  security?: unknown[]
  parameters?: ({ $ref: string } | { name: string; in: string; required?: boolean; schema: Json })[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: Json }> }>
}
interface Document {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Json>
    parameters: Record<string, Json>
    responses: Record<string, Json>
    securitySchemes: Json
  }
}

const ownParameters = ({ parameters = [] }: Operation) => parameters.flatMap((each) => ('$ref' in each ? [] : each))
const methods = ['get', 'put', 'post', 'delete', 'patch']

describe('the OpenAPI document', () => {
  let service: Service
  let document: Document
  /** the method of every route */
  const served: string[] = []
  before(async () => {
    service = await startService()
    document = (await service.call<Document>('/openapi.json')).json
    // what the router really serves, from its own listing: `├── /v1/people (GET)`
    for (const line of service.app.printRoutes({ commonPrefix: false }).split('\n')) {
      for (const method of /── \S+ \((.+)\)/.exec(line)?.[1]?.split(', ') ?? [])
        if (method !== 'HEAD') served.push(method)
    }
  })
  after(() => service.stop())

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )

  it('is OpenAPI 3.1', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/)
    expect(document.info).to.include({ title: 'courier-fleet', version: '1.0.0' })
    expect(document.components.securitySchemes).to.deep.equal({
      apiKey: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'fleet_session' },
    })
  })

  it('documents every route', () => {
    const documented = operations().map(({ method }) => method.toUpperCase())
    expect(documented.sort()).to.deep.equal(served.sort())
  })

  it('describes every operation, its parameters and its answers', () => {
    for (const { path, method, operation } of operations()) {
      const where = `${method} ${path}`
      expect(methods, where).to.include(method)
      expect(operation.summary, where).to.be.a('string').and.not.equal('')
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = ownParameters(operation).filter((parameter) => parameter.in === 'path')
      expect(
        declared.map(({ name }) => name),
        where,
      ).to.have.members(inPath)
      for (const { required, schema } of declared)
        expect([required, typeof schema], where).to.deep.equal([true, 'object'])
      const statuses = Object.keys(operation.responses)
      expect(statuses, where).to.satisfy((list: string[]) => list.some((status) => status.startsWith('2')))
      for (const status of statuses) expect(status).to.match(/^([2-5]\d\d|default)$/)
      for (const answer of Object.values(operation.responses))
        if (!answer.$ref) expect(answer.description, where).to.be.a('string')
      if (path.startsWith('/v1/')) {
        expect(operation.responses.default?.content, where).to.have.property('application/problem+json')
      } else {
        expect(operation.security, where).to.deep.equal([])
      }
      if (method === 'get' || method === 'delete') expect(operation, where).not.to.have.property('requestBody')
    }
  })

  it('says where an Idempotency-Key is honoured', () => {
    const taking = operations().filter(({ operation }) =>
      JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey'),
    )
    const names = taking.map(({ operation }) => operation.operationId)
    expect(names).to.include.members(['sendMessage', 'sendMessages', 'putPerson', 'changeSettings', 'cancelMessage'])
    expect(names).to.have.lengthOf.above(40)
    for (const name of ['readHistory', 'trackHistory', 'rehearseMessage', 'openSession'])
      expect(names).not.to.include(name)
  })

  it('names the problems of an operation, by status', () => {
    const codesOf = (name: string, status: string) => {
      const { operation } = operations().find((each) => each.operation.operationId === name) ?? {}
      const answer = JSON.stringify(operation?.responses[status] ?? {})
      return JSON.parse(/"enum":(\[[^\]]*\])/.exec(answer)?.[1] ?? '[]') as string[]
    }
    expect(codesOf('sendMessage', '409')).to.include.members(['same-again', 'audience-mismatch', 'in-progress'])
    expect(codesOf('sendMessage', '422')).to.include.members(['invalid', 'unknown-audience', 'idempotency-key-reused'])
    expect(codesOf('readPerson', '404')).to.deep.equal(['unknown-person'])
    expect(codesOf('readHistory', '403')).to.include('not-your-history')
    expect(codesOf('readHistory', '409')).to.deep.equal([])
  })

  it('refers only to what is there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string)
    expect(refs.length).to.be.greaterThan(10)
    for (const ref of new Set(refs)) {
      const [, kind, name] = /^#\/components\/(schemas|parameters|responses)\/(\w+)$/.exec(ref) ?? []
      expect(document.components[kind as 'schemas' | 'parameters' | 'responses'], ref).to.have.property(name ?? ref)
    }
  })

  it('has only schemas that JSON Schema 2020-12 knows', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
    const check = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return
      const { type, nullable, required, properties } = value as Json
      if (typeof type === 'string') expect(types, JSON.stringify(value)).to.include(type)
      expect(nullable).to.equal(undefined)
      if (Array.isArray(required) && properties) expect(Object.keys(properties as Json)).to.include.members(required)
      for (const part of Object.values(value)) check(part)
    }
    check(document.components.schemas)
    for (const { operation } of operations()) {
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) check(schema)
      for (const { schema } of ownParameters(operation)) check(schema)
      for (const { content } of Object.values(operation.responses)) {
        for (const { schema } of Object.values(content ?? {})) check(schema)
      }
    }
  })

  it('says what the fleet itself calls', () => {
    const own = ['message', 'corrected', 'recalled', 'change', 'recheck']
    expect(Object.keys(document.webhooks)).to.have.members(own)
    for (const { post } of Object.values(document.webhooks)) {
      const headers = (post?.parameters ?? []).map((parameter) => ('name' in parameter ? parameter.name : undefined))
      expect(headers).to.deep.equal(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    }
  })

  it('says what a message is', () => {
    const { schema } = document.paths['/v1/messages']?.post?.requestBody?.content['application/json'] ?? {}
    expect(schema).to.deep.equal({ $ref: '#/components/schemas/MessageInput' })
  })

  it('can be read as a page without anything from elsewhere', async () => {
    const { text, headers, status } = await service.call('/docs')
    expect(status).to.equal(200)
    expect(headers['content-type']).to.match(/^text\/html/)
    for (const { path, method } of operations()) expect(text).to.contain(`${method.toUpperCase()} ${path}`)
    for (const name of Object.keys(document.components.schemas)) expect(text).to.contain(`id="schema-${name}"`)
    expect(text).not.to.match(/<link|<script [^>]|src=|href="(?![/#])|@import|url\(/i)
    const ofScript = /<script>(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    expect(String(headers['content-security-policy'])).to.contain(`'sha256-${hash('sha256', ofScript, 'base64')}'`)
  })
})
