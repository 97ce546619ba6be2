import { expect } from 'chai'
import {
  apiUrl,
  limit,
  matching,
  optional,
  parsePositive,
  port,
  positive,
  readSettings,
  target,
  text,
  url,
  whole,
  withDefault,
} from '../src/index.ts'

const redis = url('redis://127.0.0.1:6379', 'redis:', 'rediss:')
const rate = limit('a positive number', parsePositive, 30)

describe('settings from the environment', () => {
  it('are read under their names, each by its field', () => {
    const env = { PORT: '8080', NAME: 'queue-1', SHARE: '0.5', COUNT: '7', SITE: 'https://fleet.example/api//' }
    const read = readSettings(env, {
      PORT: port,
      NAME: matching(/^[a-z]+-\d$/, 'a name and a number'),
      SHARE: positive,
      COUNT: whole(0, 7),
      SITE: apiUrl('http://127.0.0.1'),
      TARGET: target,
    })
    expect(read).to.deep.equal({
      PORT: 8080,
      NAME: 'queue-1',
      SHARE: 0.5,
      COUNT: 7,
      SITE: 'https://fleet.example/api',
      TARGET: 'real',
    })
  })

  it('that are missing or empty are undefined, or have a default', () => {
    for (const env of [{}, { A: '', B: '', C: '' }])
      expect(readSettings(env, { A: optional(port), B: withDefault(port, 1), C: rate })).to.deep.equal({
        A: undefined,
        B: 1,
        C: 30,
      })
  })

  it('that are limits are lifted by the word off: no limit is undefined', () => {
    expect(readSettings({ RATE: 'off' }, { RATE: rate })).to.deep.equal({ RATE: undefined })
    expect(readSettings({ RATE: '2.5' }, { RATE: rate })).to.deep.equal({ RATE: 2.5 })
  })

  for (const [field, given, said] of [
    [port, undefined, 'X is missing: it must be a whole number from 1 to 65535'],
    [port, '65536', 'X must be a whole number from 1 to 65535'],
    [port, '1e3', 'X must be a whole number from 1 to 65535'],
    [positive, '-1', 'X must be a positive number'],
    [rate, 'none', 'X must be a positive number, or off'],
    [text('the token of the bot'), '', 'X is missing: it must be the token of the bot'],
    [redis, 'http://a:s3cr3t@b', 'X must be a URL such as redis://127.0.0.1:6379'],
    [redis, 's3cr3t', 'X must be a URL such as redis://127.0.0.1:6379'],
  ] as const)
    it(`say in one line, without the value: ${said} (${given})`, () => {
      expect(() => readSettings({ X: given }, { X: field })).to.throw(new RegExp(`^${said}$`))
    })
})
