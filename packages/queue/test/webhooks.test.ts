import { Problem } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { createWebhooks, requireSealingKey, requireUrl } from '../src/subscriptions/webhooks.ts'

describe('calling URLs of others', () => {
  const problemOf = (call: () => unknown): Problem => {
    try {
      call()
    } catch (error) {
      if (error instanceof Problem) return error
    }
    throw new Error('it was not refused')
  }

  it('needs FLEET_SECRET for whatever has a secret, and says so', async () => {
    const webhooks = createWebhooks({})
    const { status, code, message } = problemOf(() => requireSealingKey(webhooks))
    expect([status, code]).to.deep.equal([503, 'no-fleet-secret'])
    expect(message).to.include('FLEET_SECRET')
    await webhooks.client.close()
  })

  it('is for public addresses by https, where the environment says nothing else', async () => {
    const webhooks = createWebhooks({})
    expect(requireUrl(webhooks, 'https://example.org/hook#part', 'url')).to.equal('https://example.org/hook')
    for (const url of ['http://example.org/hook', 'https://127.0.0.1/hook', 'https://[::1]/'])
      expect(problemOf(() => requireUrl(webhooks, url, 'url')).code, url).to.equal('refused-url')
    await webhooks.client.close()
  })
})
