import { readSettings } from '@courier-fleet/process'
import { expect } from 'chai'
import { parseRedisUrl, placeOf, redisUrl } from '../../src/connection/address.ts'

const one = { kind: 'one', db: 0, isEncrypted: false }
const at = (host: string, port: number) => ({ host, port })

describe('the URL of a Redis', () => {
  const right: Record<string, object> = {
    'redis://127.0.0.1': { ...one, endpoints: [at('127.0.0.1', 6379)] },
    'redis://h:7000/3': { ...one, endpoints: [at('h', 7000)], db: 3 },
    'redis://h/': { ...one, endpoints: [at('h', 6379)] },
    'redis://[::1]:7000': { ...one, endpoints: [at('::1', 7000)] },
    'rediss://anna:p%40ss:1@h:6380': {
      ...{ ...one, endpoints: [at('h', 6380)], isEncrypted: true },
      ...{ user: 'anna', password: 'p@ss:1' },
    },
    'redis://:secret@h': { ...one, endpoints: [at('h', 6379)], password: 'secret' },
    'redis+cluster://a:1,b:2,c': { ...one, kind: 'cluster', endpoints: [at('a', 1), at('b', 2), at('c', 6379)] },
    'rediss+cluster://u:p@a:1': {
      ...{ ...one, kind: 'cluster', endpoints: [at('a', 1)], isEncrypted: true },
      ...{ user: 'u', password: 'p' },
    },
    'redis+sentinel://a,b:2/fleet': {
      ...{ ...one, kind: 'sentinel', endpoints: [at('a', 26_379), at('b', 2)] },
      masterName: 'fleet',
    },
    'redis+sentinel://a/fleet/2': {
      ...one,
      kind: 'sentinel',
      endpoints: [at('a', 26_379)],
      masterName: 'fleet',
      db: 2,
    },
  }
  for (const [url, address] of Object.entries(right))
    it(`${url} is understood`, () => {
      expect(parseRedisUrl(url)).to.deep.equal(address)
    })

  for (const [url, why] of [
    ['http://h', 'another protocol'],
    ['redis://', 'no host'],
    ['redis://h:0', 'a port that is none'],
    ['redis://h:70000', 'a port that is none'],
    ['redis://a,b', 'two hosts that are no cluster'],
    ['redis://h/x', 'a database that is no number'],
    ['redis://h/1/2', 'a database and more'],
    ['redis+cluster://a,b/1', 'a cluster has one database'],
    ['redis+cluster://a,,b', 'a host that is missing'],
    ['redis+sentinel://a,b', 'whose master?'],
    ['redis://%zz@h', 'a user that is not encoded well'],
    ['redis+sentinel://a/%zz', 'a name that is not encoded well'],
    ['redis://::1', 'an address of IPv6 without brackets'],
  ] as const)
    it(`${url} is refused: ${why}`, () => {
      expect(parseRedisUrl(url)).to.equal(undefined)
    })

  it('is not repeated where it is wrong, for it may hold a password; what would be right is said', () => {
    const read = () => readSettings({ REDIS_URL: 'redis://u:hidden@' }, { REDIS_URL: redisUrl })
    expect(read).to.throw(/^REDIS_URL must be .*redis\+sentinel:.*redis\+cluster:/)
    expect(read).not.to.throw(/hidden/)
    expect(readSettings({}, { REDIS_URL: redisUrl }).REDIS_URL).to.equal('redis://127.0.0.1:6379')
  })

  it('is told without who asks', () => {
    const told = (url: string) => placeOf(parseRedisUrl(url) as NonNullable<ReturnType<typeof parseRedisUrl>>)
    expect(told('redis://u:p@[::1]:1')).to.equal('Redis at [::1]:1')
    expect(told('redis+cluster://u:p@a,b:2')).to.equal('the Redis Cluster at a:6379, b:2')
    expect(told('redis+sentinel://u:p@a/fleet')).to.equal('Redis "fleet" of the Sentinels at a:26379')
  })
})
