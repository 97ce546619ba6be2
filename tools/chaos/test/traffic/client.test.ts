import { expect } from 'chai'
import { createClient } from '../../src/traffic/client.ts'
import { startService } from './service.ts'

describe('a client', () => {
  it('takes an answer without a body for one, and asks no more', async () => {
    const service = await startService(() => ({ status: 204, body: '' }))
    const client = createClient({ apiUrl: service.url, apiKey: 'any' })
    const { answer, doubtful } = await client.send({ method: 'PUT', path: '/v1/contacts/sms/ann', body: {} })
    await service.close()
    expect(answer).to.deep.equal({ status: 204, body: {} })
    expect(doubtful).to.equal(false)
    expect(service.asked).to.have.length(1)
  })
})
