import { expect } from 'chai'
import { readInboundSettings } from '../src/settings.ts'

describe('the settings of every inbound process', () => {
  const key = { SMS_INBOUND_API_KEY: 'cf_x_y' }

  it('begin with the name of the process, but for the address of the API', () => {
    expect(readInboundSettings('sms-inbound', key)).to.deep.equal({
      apiUrl: 'http://127.0.0.1:8080',
      apiKey: 'cf_x_y',
      dataDir: '.data/sms-inbound',
    })
    const own = { FLEET_API_URL: 'https://fleet.example', BOT_API_KEY: 'cf_b_o', BOT_DATA_DIR: '/notes' }
    expect(readInboundSettings('bot', own)).to.deep.equal({
      apiUrl: 'https://fleet.example',
      apiKey: 'cf_b_o',
      dataDir: '/notes',
    })
  })

  for (const [env, wrong] of [
    [{ SMS_INBOUND_API_KEY: '' }, 'SMS_INBOUND_API_KEY is missing'],
    [{ ...key, FLEET_API_URL: 's3cr3t' }, 'FLEET_API_URL must be a URL'],
  ] as const) {
    it(`say in one line that ${wrong}`, () => {
      expect(() => readInboundSettings('sms-inbound', env)).to.throw(wrong)
      expect(() => readInboundSettings('sms-inbound', env)).to.not.throw('s3cr3t')
    })
  }
})
