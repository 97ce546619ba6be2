import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import { markHandled } from '../src/store/chat.ts'
import { type Chats, openChats } from '../src/store/chats.ts'
import { openSecret } from '../src/store/secret.ts'

describe('what the bot remembers', () => {
  let dataDir: string
  let chats: Chats
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'bot-chats-'))
    chats = openChats(dataDir, silentLog)
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))
  const file = (address: string) => join(dataDir, 'chats', `${address}.json`)

  it('outlives the process, and is nobody else’s to read', async () => {
    await chats.change('501', (chat) => {
      chat.draft = { to: [{ token: 'group:a', name: 'А' }], text: 'привет' }
    })
    expect(statSync(file('501')).mode & 0o777).to.equal(0o600)
    const again = openChats(dataDir, silentLog)
    expect(again.all().map(({ draft }) => draft?.text)).to.deep.equal(['привет'])
  })

  it('is changed in order, one change at a time, other chats meanwhile', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const order: string[] = []
    const first = chats.change('501', async () => {
      await gate
      order.push('first')
    })
    const second = chats.change('501', () => void order.push('second'))
    await chats.change('502', () => void order.push('other'))
    open()
    await Promise.all([first, second, chats.idle()])
    expect(order).to.deep.equal(['other', 'first', 'second'])
  })

  it('stays as it was when a change fails, and takes the next one', async () => {
    await chats.change('501', (chat) => markHandled(chat, 'm1'))
    const failed = chats.change('501', (chat) => {
      markHandled(chat, 'm2')
      throw new Error('no')
    })
    expect(await failed.catch((error: Error) => error.message)).to.equal('no')
    expect(await chats.change('501', ({ handled }) => handled)).to.deep.equal(['m1'])
  })

  it('puts a damaged conversation aside and begins another', async () => {
    await chats.change('501', (chat) => markHandled(chat, 'm1'))
    writeFileSync(file('501'), '{"address": "50')
    expect(await chats.change('501', ({ handled }) => handled)).to.deep.equal([])
    expect(readdirSync(join(dataDir, 'chats')).sort()).to.deep.equal(['501.json', '501.json.damaged'])
  })

  it('is never written anywhere else', async () => {
    for (const address of ['../secret', '', '501/../502', '-1'])
      expect(() => chats.change(address, () => {})).to.throw('not a Telegram user id')
  })

  it('remembers a bounded number of events', async () => {
    await chats.change('501', (chat) => {
      for (let i = 0; i < 500; i++) markHandled(chat, `m${i}`)
    })
    const handled = await chats.change('501', (chat) => chat.handled)
    expect([handled.length, handled.at(-1)]).to.deep.equal([50, 'm499'])
  })

  it('has a secret of its own: the same after a restart, another elsewhere', () => {
    const one = openSecret(dataDir)
    const again = openSecret(dataDir)
    const elsewhere = mkdtempSync(join(tmpdir(), 'bot-secret-'))
    const other = openSecret(elsewhere)
    rmSync(elsewhere, { recursive: true })
    expect(one.nonceOf('501', 'm1', 0)).to.match(/^[\w-]{12}$/)
    expect(again.nonceOf('501', 'm1', 0)).to.equal(one.nonceOf('501', 'm1', 0))
    expect(again.randomIdOf('501', 'm1', 0)).to.equal(one.randomIdOf('501', 'm1', 0))
    expect(other.nonceOf('501', 'm1', 0)).not.to.equal(one.nonceOf('501', 'm1', 0))
    const ids = Array.from({ length: 1000 }, (_, i) => one.randomIdOf('501', 'm1', i))
    expect(new Set(ids).size).to.equal(1000)
    for (const id of ids) expect(id > 0n && id < 2n ** 63n).to.equal(true)
  })
})
