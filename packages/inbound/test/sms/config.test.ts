import { ApiError, type Client, UnreachableError } from '@courier-fleet/client'
import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import { readConfig } from '../../src/sms/config.ts'
import { untilWelcome } from '../../src/until-welcome.ts'

const key = { SMS_INBOUND_API_KEY: 'cf_x_y' }
const smpp = { ...key, SMS_SMPP_URL: 'smpp://fleet:s3cr3t@smsc.example' }
const http = { ...key, SMS_INBOUND_HTTP_PORT: '13081', SMS_INBOUND_HTTP_SECRET: 'sixteen-or-more-!' }

describe('the settings of SMS inbound', () => {
  it('name the centre, or the door for a gateway, or both', () => {
    expect(readConfig(smpp)).to.deep.include({ apiUrl: 'http://127.0.0.1:8080', dataDir: '.data/sms-inbound' })
    expect(readConfig(smpp).smpp?.url).to.include({ host: 'smsc.example', port: 2775, systemId: 'fleet' })
    const own = { ...smpp, SMS_INBOUND_SMPP_URL: 'smpps://in:x@other.example', SMS_INBOUND_NUMBER: '+3377' }
    expect(readConfig(own).smpp).to.deep.include({ number: '3377' })
    expect(readConfig(own).smpp?.url).to.include({ host: 'other.example', tls: true, systemId: 'in' })
    expect(readConfig(http).http).to.include({ host: '127.0.0.1', port: 13081 })
    expect(readConfig({ ...smpp, ...http })).to.include.keys('smpp', 'http')
  })

  for (const [env, wrong] of [
    [key, 'set SMS_INBOUND_SMPP_URL'],
    [{ ...smpp, SMS_INBOUND_API_KEY: '' }, 'SMS_INBOUND_API_KEY is missing'],
    [{ ...smpp, FLEET_API_URL: 's3cr3t' }, 'FLEET_API_URL is not a URL'],
    [{ ...key, SMS_SMPP_URL: 'http://a:s3cr3t@b' }, 'SMS_SMPP_URL must begin with'],
    [{ ...key, SMS_INBOUND_SMPP_URL: 'smpp://smsc.example' }, 'SMS_INBOUND_SMPP_URL names no user'],
    [{ ...smpp, SMS_INBOUND_NUMBER: 's3cr3t' }, 'SMS_INBOUND_NUMBER must be'],
    [{ ...http, SMS_INBOUND_HTTP_PORT: 's3cr3t' }, 'SMS_INBOUND_HTTP_PORT must be'],
    [{ ...http, SMS_INBOUND_HTTP_SECRET: 's3cr3t' }, 'SMS_INBOUND_HTTP_SECRET must have'],
    [{ ...http, SMS_INBOUND_HTTP_SECRET: undefined }, 'SMS_INBOUND_HTTP_SECRET is missing'],
  ] as const) {
    it(`say in one line that ${wrong}`, () => {
      expect(() => readConfig(env)).to.throw(wrong)
      expect(() => readConfig(env)).to.not.throw('s3cr3t')
    })
  }
})

describe('the key of an inbound process', () => {
  const problem = (status: number) => new ApiError({ type: '', title: '', status, detail: '', code: 'x' })
  const welcome = (...answers: (Error | undefined)[]) => {
    const client = {
      whoIsCalling: async () => {
        const answer = answers.shift()
        if (answer) throw answer
      },
    } as unknown as Client
    return untilWelcome(client, { log: silentLog, signal: new AbortController().signal })
  }

  it('is waited for while the API is away', () => welcome(new UnreachableError('', ''), problem(503), problem(403)))
  it('must be known', async () => {
    expect(((await welcome(problem(401)).catch((error: unknown) => error)) as Error).message).to.match(/does not know/)
  })
  it("is not a person's", async () => {
    expect(((await welcome(undefined).catch((error: unknown) => error)) as Error).message).to.match(/role inbound/)
  })
})
