import { expect } from 'chai'
import { readConfig } from '../../src/sms/config.ts'

const smpp = { SMS_SMPP_URL: 'smpp://fleet:s3cr3t@smsc.example' }
const http = { SMS_INBOUND_HTTP_PORT: '13081', SMS_INBOUND_HTTP_SECRET: 'sixteen-or-more-!' }

describe('the settings of SMS inbound', () => {
  it('name the centre, or where a gateway calls, or both', () => {
    expect(readConfig(smpp).smpp?.url).to.include({ host: 'smsc.example', port: 2775, systemId: 'fleet' })
    const own = { ...smpp, SMS_INBOUND_SMPP_URL: 'smpps://in:x@other.example', SMS_INBOUND_NUMBER: '+3377' }
    expect(readConfig(own).smpp).to.deep.include({ number: '3377' })
    expect(readConfig(own).smpp?.url).to.include({ host: 'other.example', tls: true, systemId: 'in' })
    expect(readConfig(http).http).to.include({ host: '127.0.0.1', port: 13081 })
    expect(readConfig({ ...smpp, ...http })).to.include.keys('smpp', 'http')
  })

  for (const [env, wrong] of [
    [{}, 'set SMS_INBOUND_SMPP_URL'],
    [{ SMS_SMPP_URL: 'http://a:s3cr3t@b' }, 'SMS_SMPP_URL must be smpp://'],
    [{ SMS_INBOUND_SMPP_URL: 'smpp://smsc.example' }, 'SMS_INBOUND_SMPP_URL must be smpp://systemId'],
    [{ ...smpp, SMS_INBOUND_NUMBER: 's3cr3t' }, 'SMS_INBOUND_NUMBER must be'],
    [{ ...http, SMS_INBOUND_HTTP_PORT: 's3cr3t' }, 'SMS_INBOUND_HTTP_PORT must be'],
    [{ ...http, SMS_INBOUND_HTTP_SECRET: 's3cr3t' }, 'SMS_INBOUND_HTTP_SECRET must be at least 16 characters'],
    [{ ...http, SMS_INBOUND_HTTP_SECRET: undefined }, 'SMS_INBOUND_HTTP_SECRET is missing'],
  ] as const) {
    it(`say in one line that ${wrong}`, () => {
      expect(() => readConfig(env)).to.throw(wrong)
      expect(() => readConfig(env)).to.not.throw('s3cr3t')
    })
  }
})
