import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Api } from 'telegram'
import { StringSession } from 'telegram/sessions/index.js'
import { type Fixture, startFixture } from './fixture.ts'
import { connectRawClient, refusalOf } from './raw-client.ts'

const tokens: [string, string] = ['7000000001:first', '7000000002:second']

describe('telegram-dc: logging in', () => {
  let fixture: Fixture
  let dataDir: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'telegram-dc-'))
    fixture = await startFixture({ dataDir, botTokens: tokens })
  })
  afterEach(async () => {
    await fixture.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('knows each bot by its token', async () => {
    for (const botToken of tokens) {
      const raw = await connectRawClient(fixture.endpoint, { botToken })
      const me = (await raw.client.getMe()) as Api.User
      expect(String(me.id)).to.equal(botToken.split(':')[0])
      expect(me.bot).to.equal(true)
      await raw.close()
    }
  })

  it('refuses an unknown token and a wrong api_hash', async () => {
    expect(await refusalOf(connectRawClient(fixture.endpoint, { botToken: '7:no' }))).to.equal('ACCESS_TOKEN_INVALID')
    const wrong = { ...fixture.endpoint, apiHash: 'wrong' }
    expect(await refusalOf(connectRawClient(wrong))).to.equal('API_ID_INVALID')
  })

  it('keeps sessions and its own key over a restart', async () => {
    const raw = await connectRawClient(fixture.endpoint)
    await raw.close()
    await fixture.stop()
    fixture = await startFixture({ dataDir, botTokens: tokens })
    // logged in already: a wrong token is not even looked at
    const resumed = await connectRawClient(fixture.endpoint, {
      session: new StringSession(raw.session),
      botToken: 'not needed',
    })
    expect((await resumed.send('501', 1)).id).to.equal(1)
    await resumed.close()
  })

  it('lets nobody in who has logged out', async () => {
    const raw = await connectRawClient(fixture.endpoint)
    await raw.call(new Api.auth.LogOut())
    expect(await refusalOf(raw.send('501', 1))).to.equal('AUTH_KEY_UNREGISTERED')
    await raw.close()
  })
})
