import { expect } from 'chai'
import { type Service, startService } from './service.ts'

describe('prefetching a history', () => {
  let service: Service
  let key: string
  before(async () => {
    service = await startService()
    key = await service.send({ text: 'secret' })
  })
  after(() => service.stop())

  const paths = ['', '/receipts', '/recount']
  const absent = () => `${key.slice(0, -4)}none`

  for (const path of paths) {
    it(`tells nobody of …${path} who may not know: signed out, revoked or another`, async () => {
      for (const named of [key, absent(), 'nonsense']) {
        const signedOut = await service.call<{ code: string }>(`/v1/histories/${named}${path}`)
        expect([signedOut.status, signedOut.json.code]).to.deep.equal([401, 'no-api-key'])
        const { id, apiKey } = await service.apiKeys.create({ owner: 'trainer-1', role: 'trainer', label: 'gone' })
        await service.apiKeys.revoke(id)
        const revoked = await service.call<{ code: string }>(`/v1/histories/${named}${path}`, {
          headers: { authorization: `Bearer ${apiKey}` },
        })
        expect([revoked.status, revoked.json.code]).to.deep.equal([401, 'bad-api-key'])
        expect(revoked.text + signedOut.text).not.to.contain('secret')
      }
      for (const named of [key, absent()]) {
        const other = await service.call<{ code: string }>(`/v1/histories/${named}${path}`, { as: 'staff' })
        expect([other.status, other.json.code]).to.deep.equal([403, 'not-your-history'])
      }
    })

    it(`answers …${path} to whoever it belongs to`, async () => {
      expect((await service.call(`/v1/histories/${key}${path}`, { as: 'trainer' })).status).to.equal(200)
      const unknown = await service.call<{ code: string }>(`/v1/histories/${absent()}${path}`, { as: 'trainer' })
      expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'unknown-key'])
      const bad = await service.call<{ code: string }>(`/v1/histories/nonsense${path}`, { as: 'trainer' })
      expect([bad.status, bad.json.code]).to.deep.equal([400, 'bad-key'])
    })
  }

  it('has the receipts of a key that is only issued be nobody’s', async () => {
    const issued = await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as: 'trainer' })
    const page = await service.call(`/v1/histories/${issued.json.key}/receipts`, { as: 'trainer' })
    expect([page.status, page.json]).to.deep.equal([200, { receipts: [] }])
  })
})
