import { channelOf, isReal } from '@courier-fleet/channels'
import { expect } from 'chai'
import { courierSettings } from '../../scripts/courier-settings.mjs'

const endpoints = {
  telegram: {
    host: '127.0.0.1',
    port: 4431,
    apiId: 7,
    apiHash: 'hash',
    botToken: '1:bot',
    publicKey: '-----BEGIN RSA PUBLIC KEY-----',
    fingerprint: '-1',
  },
  vk: { host: '127.0.0.1', port: 4432, token: 'vk-token', groupId: 1 },
  sms: {
    host: '127.0.0.1',
    port: 2775,
    systemId: 'fleet',
    password: 'p@ss:word',
    number: '3377',
    sendsmsUrl: 'http://127.0.0.1:1/cgi-bin/sendsms',
    second: { port: 2776, sendsmsUrl: 'http://127.0.0.1:2/cgi-bin/sendsms' },
  },
}
const settingsOf = (channel: string, env: Record<string, string> = {}) =>
  courierSettings({ channel, name: `courier-${channel}-1`, env, endpoints, dataDir: '/data' })

describe('the settings of a courier', () => {
  it('lead to the sandbox when the environment has no token', () => {
    expect(settingsOf('telegram')).to.deep.equal({
      TELEGRAM_TARGET: 'sandbox',
      TELEGRAM_SESSION_FILE: '/data/sessions/courier-telegram-1.sandbox',
      TELEGRAM_BOT_TOKEN: '1:bot',
      TELEGRAM_API_ID: '7',
      TELEGRAM_API_HASH: 'hash',
      TELEGRAM_DC: '127.0.0.1:4431',
      TELEGRAM_DC_PUBLIC_KEY: '-----BEGIN RSA PUBLIC KEY-----',
    })
    expect(settingsOf('vk')).to.deep.equal({
      VK_TARGET: 'sandbox',
      VK_TOKEN: 'vk-token',
      VK_API_BASE_URL: 'http://127.0.0.1:4432/method',
    })
  })

  it('keep a password with special characters whole', () => {
    const url = new URL(settingsOf('sms').SMS_SMPP_URL as string)
    expect(decodeURIComponent(url.password)).to.equal('p@ss:word')
    expect(url.host).to.equal('127.0.0.1:2775')
  })

  it('leave a channel with real tokens to the real service, each channel for itself', () => {
    const env = { VK_TOKEN: 'mine', SMS_SMPP_URL: 'smpp://me:secret@smsc.example' }
    expect(settingsOf('vk', env)).to.deep.equal({ VK_TARGET: 'real' })
    expect(settingsOf('sms', env)).to.deep.equal({ SMS_TARGET: 'real' })
    expect(settingsOf('telegram', env).TELEGRAM_TARGET).to.equal('sandbox')
  })

  it('never share a session between the sandbox and the real service', () => {
    const env = { TELEGRAM_BOT_TOKEN: '2:mine', TELEGRAM_API_ID: '1', TELEGRAM_API_HASH: 'h' }
    expect(settingsOf('telegram', env)).to.deep.equal({
      TELEGRAM_TARGET: 'real',
      TELEGRAM_SESSION_FILE: '/data/sessions/courier-telegram-1.real',
    })
  })

  it('name what is missing when a real service is set up by half', () => {
    expect(() => isReal(channelOf('telegram'), { TELEGRAM_BOT_TOKEN: '2:mine', TELEGRAM_API_ID: '1' })).to.throw(
      'TELEGRAM_BOT_TOKEN is set, but not TELEGRAM_API_HASH',
    )
  })
})
