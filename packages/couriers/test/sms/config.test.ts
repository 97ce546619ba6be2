import { silentLog, systemClock } from '@courier-fleet/process'
import { noUploads } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { smsConfig } from '../../src/sms/config.ts'
import { createCourier } from '../../src/sms/index.ts'

describe('the settings of the SMS courier', () => {
  const smpp = { SMS_SMPP_URL: 'smpp://fl%65et:p%40ss@smsc.example:2776' }
  const http = {
    SMS_HTTP_URL: 'http://user:p%40ss@gateway.example:13013/cgi-bin/sendsms',
    SMS_HTTP_CALLBACK_URL: 'https://fleet.example/hooks/',
    SMS_HTTP_CALLBACK_PORT: '8088',
  }

  it('read an SMPP address', () => {
    const [config] = smsConfig(smpp).centres
    expect(config.smpp).to.deep.equal({
      host: 'smsc.example',
      port: 2776,
      tls: false,
      systemId: 'fleet',
      password: 'p@ss',
    })
    expect(config).to.include({
      account: 'fleet-smsc-example-2776',
      window: 50,
      perSecond: 100,
      sender: '',
    })
    expect(smsConfig({ SMS_SMPP_URL: 'smpps://a:b@[::1]' }).centres[0].smpp).to.include({
      host: '::1',
      port: 3550,
      tls: true,
    })
  })

  it('read the address of a gateway', () => {
    const { target, centres } = smsConfig({ ...http, SMS_TARGET: 'sandbox', SMS_WINDOW: '7', SMS_PER_SECOND: 'off' })
    const [config] = centres
    expect([target, smsConfig(http).target]).to.deep.equal(['sandbox', 'real'])
    expect(config).to.include({
      account: 'user-gateway-example-13013',
      window: 7,
      perSecond: undefined,
    })
    expect(config.sendsms).to.deep.equal({
      url: 'http://gateway.example:13013/cgi-bin/sendsms',
      username: 'user',
      password: 'p@ss',
      callbackUrl: 'https://fleet.example/hooks',
      callbackHost: '127.0.0.1',
      callbackPort: 8088,
    })
    expect(smsConfig({ ...http, SMS_HTTP_CALLBACK_HOST: '::' }).centres[0].sendsms).to.include({ callbackHost: '::' })
  })

  it('make a courier that says what it is', () => {
    const deps = {
      log: silentLog,
      clock: systemClock,
      pacer: { take: async () => {} },
      uploads: noUploads,
      onReport: async () => {},
    }
    expect(createCourier({ ...smpp, SMS_WINDOW: '20', SMS_PER_SECOND: '30' }, deps)).to.deep.include({
      channel: 'sms',
      account: 'fleet-smsc-example-2776',
      batchSize: 20,
      keySpan: 1,
      foldsResends: false,
      givesReports: true,
      rate: { units: 30, perMs: 1000 },
    })
    expect(createCourier({ ...smpp, SMS_PER_SECOND: 'off' }, deps)).not.to.have.property('rate')
  })

  it('read a second centre, which has numbers of its own and what the first says of all others', () => {
    const env = {
      ...smpp,
      SMS_SENDER: 'Fleet',
      SMS_WINDOW: '20',
      SMS_SECOND_SMPP_URL: 'smpp://b:p%40ss@other.example',
      SMS_SECOND_PREFIXES: '+7916, +375',
      SMS_SECOND_PER_SECOND: 'off',
      SMS_TAKE_OVER: '+7',
    }
    const config = smsConfig(env)
    expect(config.takeOver).to.deep.equal(['+7'])
    expect(config.centres[1]).to.deep.include({
      name: 'second',
      account: 'b-other-example-2775',
      sender: 'Fleet',
      window: 20,
      perSecond: undefined,
      prefixes: ['+7916', '+375'],
    })
    expect(smsConfig({ ...env, SMS_TAKE_OVER: '' }).takeOver).to.deep.equal(['+'])
    expect(smsConfig({ ...env, SMS_TAKE_OVER: 'off' }).takeOver).to.deep.equal([])
    const own = smsConfig({ ...env, SMS_SECOND_SENDER: '3377', SMS_SECOND_WINDOW: '5' }).centres[1]
    expect(own).to.include({ sender: '3377', window: 5 })
    const gateway = {
      ...smpp,
      SMS_SECOND_HTTP_URL: http.SMS_HTTP_URL,
      SMS_SECOND_HTTP_CALLBACK_URL: http.SMS_HTTP_CALLBACK_URL,
      SMS_SECOND_HTTP_CALLBACK_PORT: '8089',
    }
    expect(smsConfig(gateway).centres[1]?.sendsms).to.include({ username: 'user', callbackPort: 8089 })
  })

  const wrong: [string, Record<string, string>, RegExp][] = [
    ['no provider', {}, /exactly one of SMS_SMPP_URL and SMS_HTTP_URL/],
    ['two providers', { ...smpp, ...http }, /exactly one of/],
    [
      'no URL',
      { SMS_SMPP_URL: 'secret stuff' },
      /^SMS_SMPP_URL must be smpp:\/\/systemId:password@host:port, or smpps:\/\/ for TLS$/,
    ],
    ['another protocol', { SMS_SMPP_URL: 'http://a:secret@h' }, /^SMS_SMPP_URL must be smpp:\/\//],
    ['no user', { SMS_SMPP_URL: 'smpp://h:1' }, /^SMS_SMPP_URL must be smpp:\/\/systemId/],
    ['no password', { SMS_SMPP_URL: 'smpp://fleet@h:1' }, /^SMS_SMPP_URL must be smpp:\/\/systemId/],
    ['an empty password', { SMS_SMPP_URL: 'smpp://fleet:@h:1' }, /^SMS_SMPP_URL must be smpp:\/\/systemId/],
    ['a password with a bare %', { SMS_SMPP_URL: 'smpp://fleet:100%@h:1' }, /^SMS_SMPP_URL must be smpp:\/\/systemId/],
    [
      'a gateway without a password',
      { ...http, SMS_HTTP_URL: 'http://user@gateway.example/cgi-bin/sendsms' },
      /^SMS_HTTP_URL must name a user and a password/,
    ],
    [
      'a host that is none',
      { ...http, SMS_HTTP_CALLBACK_HOST: 'all of them' },
      /^SMS_HTTP_CALLBACK_HOST must be an address to listen on/,
    ],
    ['no callback URL', { ...http, SMS_HTTP_CALLBACK_URL: '' }, /^SMS_HTTP_CALLBACK_URL is missing: it must be a URL/],
    [
      'no callback port',
      { ...http, SMS_HTTP_CALLBACK_PORT: '' },
      /^SMS_HTTP_CALLBACK_PORT is missing: it must be a whole number/,
    ],
    [
      'the same centre twice',
      { ...smpp, SMS_SECOND_SMPP_URL: smpp.SMS_SMPP_URL },
      /^SMS_SECOND_SMPP_URL must name another/,
    ],
    [
      'two second centres',
      { ...smpp, SMS_SECOND_SMPP_URL: 'smpp://b:c@d', SMS_SECOND_HTTP_URL: http.SMS_HTTP_URL },
      /^set one of SMS_SECOND_SMPP_URL and SMS_SECOND_HTTP_URL/,
    ],
    [
      'beginnings that are none',
      { ...smpp, SMS_SECOND_SMPP_URL: 'smpp://b:c@d', SMS_SECOND_PREFIXES: '8916' },
      /^SMS_SECOND_PREFIXES must be beginnings of numbers/,
    ],
    [
      'a second gateway that nobody can report to',
      { ...smpp, SMS_SECOND_HTTP_URL: http.SMS_HTTP_URL },
      /^SMS_SECOND_HTTP_CALLBACK_URL is missing/,
    ],
    ['a long sender', { ...smpp, SMS_SENDER: 'TwelveLetter' }, /SMS_SENDER must be/],
    ['a window of none', { ...smpp, SMS_WINDOW: '0' }, /SMS_WINDOW must be a whole number/],
    ['a rate in words', { ...smpp, SMS_PER_SECOND: 'many' }, /SMS_PER_SECOND must be a whole number/],
  ]
  for (const [what, env, message] of wrong)
    it(`refuse ${what} in one line without secrets`, () => {
      expect(() => smsConfig(env)).to.throw(message)
      expect(() => smsConfig(env)).not.to.throw(/secret|p@ss|\n/)
    })
})
