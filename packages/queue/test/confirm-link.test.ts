/** A mail that asks to be confirmed has a link: who opens it confirms nothing, its button does, for one mailbox alone. */
import type { HistoryRef, HistoryView, ReceiptsPage } from '@courier-fleet/api-types'
import { memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { confirmLinkSigner, confirmSigner, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const mailboxes = { anna: 'anna@example.org', boris: 'boris@example.org', clara: 'clara@example.org' } as const

describe('a link that confirms a message', () => {
  let fleet: University
  let origin: string
  let linkFor: Awaited<ReturnType<typeof confirmLinkSigner>>
  before(async () => {
    fleet = await startUniversity()
    const [bound] = fleet.app.addresses()
    origin = `http://127.0.0.1:${typeof bound === 'object' ? bound.port : ''}`
    for (const [person, address] of Object.entries(mailboxes))
      await fleet.directory.linkContact('mail', person, address)
    linkFor = await confirmLinkSigner(fleet.redis)
  })
  after(() => fleet.stop())

  /** As it is when mail has settled. */
  async function sent(text = 'The exam <b>is</b> on Monday', more: object = { confirm: true }) {
    const body = { to: ['group:own'], text, channels: ['mail'], ...more }
    const { json } = await fleet.ask<{ key: string }>('POST /v1/messages', { as: 'trainer' }, body)
    const ref = parseHistoryKey(json.key)
    const now = Date.now()
    await fleet.redis
      .multi()
      .set(keys.receipts(ref, 'mail'), 'sss')
      .hset(keys.history(ref), { expected: 'mail', state: 'settled', started: now, settled: now, 'mail:s': 3 })
      .hset(keys.history(ref), { 'mail:settled': now, 'mail:open': 0 })
      .zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
      .exec()
    return { key: json.key, ref }
  }
  const pathOf = (ref: HistoryRef, ordinal: number, address: string, version = 1) =>
    `/c/${linkFor({ ref, ordinal, version }, address)}`
  async function call(method: string, path: string, body?: string, type = 'application/x-www-form-urlencoded') {
    const given = body === undefined ? {} : { body, headers: { 'content-type': type } }
    const answer = await fetch(origin + path, { method, redirect: 'manual', ...given })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const confirmed = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json.confirmed

  it('shows the message and a button, and confirms nothing however often it is opened', async () => {
    const { key, ref } = await sent()
    const path = pathOf(ref, 0, mailboxes.anna)
    for (const method of ['GET', 'HEAD', 'GET']) expect((await call(method, path)).status).to.equal(200)
    const { text, headers } = await call('GET', path)
    expect(text).to.contain('«The exam &#60;b&#62;is').and.contain('<form method="post">').and.contain('Прочитано')
    expect(text).to.not.match(/<script|src=|href=|<b>/)
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'sha256-/)
    expect([headers.get('cache-control'), headers.get('set-cookie')]).to.deep.equal(['no-store', null])
    expect(await confirmed(key)).to.deep.equal({ yes: 0, no: 3, of: 3 })
  })

  it('says that the text is another by now, and notes nothing', async () => {
    const { key, ref } = await sent()
    const body = { text: 'The exam is on Tuesday' }
    await fleet.ask(`POST /v1/histories/${key}/corrections`, { as: 'trainer' }, body)
    const older = await call('POST', pathOf(ref, 1, mailboxes.boris), 'confirm=yes')
    expect([older.status, /с тех пор текст исправили/.test(older.text)]).to.deep.equal([409, true])
    expect(await confirmed(key)).to.include({ yes: 0 })
    expect((await call('POST', pathOf(ref, 1, mailboxes.boris, 2), 'confirm=yes')).status).to.equal(200)
    expect(await confirmed(key)).to.include({ yes: 1 })
  })

  it('confirms by its button, once; then it says when, to whoever looks', async () => {
    const { key, ref } = await sent()
    const path = pathOf(ref, 1, mailboxes.boris)
    for (const body of ['', 'confirm=no', 'List-Unsubscribe=One-Click'])
      expect((await call('POST', path, body)).status).to.equal(400)
    expect((await call('POST', path)).status, 'without a body').to.equal(400)
    expect(await confirmed(key)).to.include({ yes: 0 })
    const pressed = await call('POST', path, 'confirm=yes')
    expect([pressed.status, /Отмечено: \d/.test(pressed.text)]).to.deep.equal([200, true])
    const again = await call('POST', path, 'confirm=yes')
    const looked = await call('GET', path)
    expect([again.text, looked.text]).to.deep.equal([pressed.text, pressed.text])
    expect(await confirmed(key)).to.deep.equal({ yes: 1, no: 2, of: 3 })
    const answer = await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts?confirmed=yes`, { as: 'trainer' })
    expect(answer.json.receipts.map(({ person, confirmed: by }) => [person, by?.channel])).to.deep.equal([
      ['boris', 'mail'],
    ])
  })

  it('is good for the mailbox it was sent to, and as it was made', async () => {
    const { key, ref } = await sent()
    const other = await sent('Another')
    const plain = await sent('Asks nothing', {})
    const right = pathOf(ref, 2, mailboxes.clara)
    const button = (await confirmSigner(fleet.redis))({ ref, ordinal: 2, version: 1 })
    const wrong = [
      `/c/${button}`,
      right.slice(0, -1),
      `${right}x`,
      right.replace(/\.2\./, '.1.'),
      pathOf(ref, 2, mailboxes.anna),
      pathOf(ref, 7, mailboxes.clara),
      pathOf(plain.ref, 2, mailboxes.clara),
      pathOf(other.ref, 2, mailboxes.clara).replace(/[^.]+$/, right.replace(/^.*\./, '')),
      '/c/x',
      `/c/${'a'.repeat(90)}`,
    ]
    for (const path of wrong)
      for (const method of ['GET', 'POST'])
        expect((await call(method, path, method === 'POST' ? 'confirm=yes' : undefined)).status, path).to.equal(404)
    const inbound = { channel: 'mail', address: mailboxes.clara, token: right.slice(3) }
    const asButton = await fleet.ask('POST /v1/confirmations', { as: 'inbound' }, inbound)
    expect(asButton.json.code, 'no button is made of a link').to.equal('unknown-confirmation')
    await fleet.directory.linkContact('mail', 'clara', 'new@example.org')
    expect((await call('POST', right, 'confirm=yes')).status, 'another mailbox since').to.equal(404)
    await fleet.directory.linkContact('mail', 'clara', mailboxes.clara)
    expect(await confirmed(key)).to.deep.equal({ yes: 0, no: 3, of: 3 })
    expect((await call('POST', right, 'confirm=yes')).status).to.equal(200)
    expect(await confirmed(key)).to.deep.equal({ yes: 1, no: 2, of: 3 })
  })
})
