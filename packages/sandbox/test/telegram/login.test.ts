import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Api } from 'telegram'
import { StringSession } from 'telegram/sessions/index.js'
import { connectRawClient, refusalOf } from './raw-client.ts'
import { type Stage, startStage } from './stage.ts'

const tokens: [string, string] = ['7000000001:first', '7000000002:second']

describe('telegram-dc: logging in', () => {
  let stage: Stage
  let dataDir: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'telegram-dc-'))
    stage = await startStage({ dataDir, botTokens: tokens })
  })
  afterEach(async () => {
    await stage.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('knows each bot by its token', async () => {
    for (const botToken of tokens) {
      const raw = await connectRawClient(stage.endpoint, { botToken })
      const me = (await raw.client.getMe()) as Api.User
      expect(String(me.id)).to.equal(botToken.split(':')[0])
      expect(me.bot).to.equal(true)
      await raw.close()
    }
  })

  it('refuses an unknown token and a wrong api_hash', async () => {
    expect(await refusalOf(connectRawClient(stage.endpoint, { botToken: '7:no' }))).to.equal('ACCESS_TOKEN_INVALID')
    const wrong = { ...stage.endpoint, apiHash: 'wrong' }
    expect(await refusalOf(connectRawClient(wrong))).to.equal('API_ID_INVALID')
  })

  it('keeps sessions and its own key over a restart', async () => {
    const raw = await connectRawClient(stage.endpoint)
    await raw.close()
    await stage.stop()
    stage = await startStage({ dataDir, botTokens: tokens })
    // logged in already: a wrong token is not even looked at
    const resumed = await connectRawClient(stage.endpoint, {
      session: new StringSession(raw.session),
      botToken: 'not needed',
    })
    expect((await resumed.send('501', 1)).id).to.equal(1)
    await resumed.close()
  })

  it('lets nobody in who has logged out', async () => {
    const raw = await connectRawClient(stage.endpoint)
    await raw.call(new Api.auth.LogOut())
    expect(await refusalOf(raw.send('501', 1))).to.equal('AUTH_KEY_UNREGISTERED')
    await raw.close()
  })
})
