/**
 * Everything in the OpenAPI document has a name, says what it means and shows an example. In a route: `operationId`, `summary`,
 * `description` and `answers({ 200: schema })`, whose schemas say what they are; in a zod schema: `.describe('…')` and `.meta({ examples: […] })`.
 */
import { expect } from 'chai'
import { type Service, startService } from '../../packages/queue/test/service.ts'
import { type Document, gapsOf } from './described.ts'

describe('the OpenAPI document', () => {
  let service: Service
  let document: Document
  before(async () => {
    service = await startService()
    document = (await service.call<Document>('/openapi.json')).json
  })
  after(() => service.stop())

  it('leaves nothing without a description and an example', () => {
    expect(gapsOf(document)).to.deep.equal([])
  })

  it('has one name for each operation', () => {
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    )
    expect(new Set(names).size).to.equal(names.length)
  })
})
