import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { newSecret, openSecret, sealingKey, sealSecret, signedHeaders } from '../src/index.ts'

describe('signatures', () => {
  const body = JSON.stringify({ text: 'Пара перенесена', n: 1 })

  it('are what the official verifier of standard-webhooks takes', () => {
    const secret = newSecret()
    expect(secret).to.match(/^whsec_[\w+/]{43}=$/)
    const headers = signedHeaders({ id: 'a1b2', secrets: [secret], atMs: Date.now(), body })
    expect(new Webhook(secret).verify(body, { ...headers })).to.deep.equal(JSON.parse(body))
    expect(() => new Webhook(newSecret()).verify(body, { ...headers })).to.throw('No matching signature')
    expect(() => new Webhook(secret).verify(body.replace('1', '2'), { ...headers })).to.throw('No matching signature')
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'other' })).to.throw()
  })

  it('are one for each secret that is valid, so that a receiver may still have the old one', () => {
    const secrets = [newSecret(), newSecret(), newSecret()]
    const headers = signedHeaders({ id: 'a1b2', secrets, atMs: Date.now(), body })
    expect(headers['webhook-signature']?.split(' ')).to.have.length(3)
    for (const secret of secrets) new Webhook(secret).verify(body, { ...headers })
  })

  it('are of the time of the try, in seconds', () => {
    const headers = signedHeaders({ id: 'a1b2', secrets: [newSecret()], atMs: 1_700_000_000_999, body })
    expect(headers['webhook-timestamp']).to.equal('1700000000')
  })
})

describe('sealed secrets', () => {
  const key = sealingKey({ FLEET_SECRET: 'x'.repeat(32) })
  if (!key) throw new Error('no key')

  it('open for whose they are, and for nobody else', () => {
    const secret = newSecret()
    const sealed = sealSecret(key, secret, 'person:1')
    expect(sealed).not.to.contain(secret.slice(6))
    expect(openSecret(key, sealed, 'person:1')).to.equal(secret)
    expect(openSecret(key, sealed, 'person:2')).to.equal(undefined)
    const other = sealingKey({ FLEET_SECRET: 'y'.repeat(32) })
    expect(other && openSecret(other, sealed, 'person:1')).to.equal(undefined)
    expect(sealSecret(key, secret, 'person:1'), 'never the same twice').not.to.equal(sealed)
  })

  it('do not open when a single character is another', () => {
    const sealed = sealSecret(key, newSecret(), 'person:1')
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(openSecret(key, changed, 'person:1'), `character ${at}`).to.equal(undefined)
    }
    for (const broken of ['', '1', '1.', '1.AAAA', sealed.slice(0, 20)])
      expect(openSecret(key, broken, 'person:1')).to.equal(undefined)
  })

  it('cannot be made without FLEET_SECRET, nor with a short one', () => {
    expect(sealingKey({})).to.equal(undefined)
    expect(() => sealingKey({ FLEET_SECRET: 'short' })).to.throw('FLEET_SECRET must be at least 32 characters')
  })
})
