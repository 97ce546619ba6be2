import { freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { isOneClickOf, type OneClick, oneClickPath, oneClickSecret, readOneClickPath } from '../src/one-click.ts'

const offer = {
  person: 'anna',
  type: 'news',
  history: '05.dean.abcdefgh_-123456',
  address: 'anna@example.org',
} as OneClick

describe('one-click addresses of mail', () => {
  it('say who does not want what, by which message, and of which mailbox', () => {
    const path = oneClickPath('secret', offer)
    const { address: _address, ...said } = offer
    const read = readOneClickPath('secret', path)
    expect(read).to.deep.include(said)
    expect(read && isOneClickOf(read, 'anna@example.org')).to.equal(true)
    expect(read && isOneClickOf(read, 'anna@example.com')).to.equal(false)
    expect(path, 'the mailbox is nobody’s to read').to.not.contain('example')
    expect(path).to.match(/^[\w./-]+$/)
  })

  it('are made by the fleet alone: whatever is changed, cut, added or signed by others is none', () => {
    const path = oneClickPath('secret', offer)
    const others = [
      ...[...path]
        .map((sign, at) => path.slice(0, at) + (sign === 'a' ? 'b' : 'a') + path.slice(at + 1))
        .filter((each) => each !== path),
      ...[...path].map((_sign, at) => path.slice(0, at)),
      `${path}a`,
      `${path}/`,
      path.replace('news', 'news/news'),
      oneClickPath('another', offer),
      oneClickPath('', offer),
      '/'.repeat(100_000),
    ]
    for (const each of others) expect(readOneClickPath('secret', each), each.slice(0, 90)).to.equal(undefined)
    expect(readOneClickPath('', path), 'no secret is no signature').to.equal(undefined)
  })

  it('are signed with a secret that all processes share, and that is made once', async () => {
    const fresh = await freshRedis()
    const secrets = await Promise.all(Array.from({ length: 20 }, () => oneClickSecret(fresh.redis)))
    expect(new Set(secrets)).to.have.length(1)
    expect(Buffer.from(secrets[0] as string, 'base64url')).to.have.length(32)
    await fresh.stop()
  })
})
