/** Who of a message has confirmed it: by a button that only the fleet can make, that only its person may press, and that counts once. */
import type { ConfirmationView, HistoryView, PersonReceipts, ReceiptsPage } from '@courier-fleet/api-types'
import { type HistoryRef, memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { confirmSigner, digestOfMember, keys } from '@courier-fleet/store'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { startUniversity, type University, type Who } from './university.ts'

const phones = { anna: '8001', boris: '8002', clara: '8003' } as const

describe('confirmations of a message', () => {
  let fleet: University
  let tokenFor: Awaited<ReturnType<typeof confirmSigner>>
  before(async () => {
    fleet = await startUniversity()
    for (const [person, address] of Object.entries(phones)) {
      await fleet.directory.linkContact('telegram', person, address)
      await fleet.directory.linkContact('vk', person, address)
    }
    tokenFor = await confirmSigner(fleet.redis)
  })
  after(() => fleet.stop())

  const send = async (body: object = {}) => {
    const message = { to: ['group:own'], text: 'The exam is on Monday', confirm: true, channels: ['telegram'], ...body }
    const { status, json } = await fleet.ask<{ key: string }>('POST /v1/messages', { as: 'trainer' }, message)
    expect(status).to.equal(201)
    return parseHistoryKey(json.key)
  }
  /** As it is when Telegram has settled, with these receipts of the three. */
  async function sent(receipts: string, body?: object): Promise<{ key: string; ref: HistoryRef }> {
    const ref = await send(body)
    const now = Date.now()
    const counters: Record<string, number> = {}
    for (const byte of receipts) counters[`telegram:${byte}`] = (counters[`telegram:${byte}`] ?? 0) + 1
    await fleet.redis
      .multi()
      .set(keys.receipts(ref, 'telegram'), receipts)
      .hset(keys.history(ref), { expected: 'telegram', state: 'settled', started: now, settled: now, ...counters })
      .hset(keys.history(ref), { 'telegram:settled': now, 'telegram:open': 0 })
      .zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
      .exec()
    return { key: `${ref.shard}.${ref.sender}.${ref.id}`, ref }
  }
  const confirm = (token: string, address: string, channel = 'telegram') =>
    fleet.ask<ConfirmationView & { code?: string }>(
      'POST /v1/confirmations',
      { as: 'inbound' },
      { channel, address, token },
    )
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json
  const receipts = async (key: string, query = '') =>
    (await fleet.ask<ReceiptsPage>(`GET /v1/histories/${key}/receipts?${query}`, { as: 'trainer' })).json.receipts
  const people = async (key: string, query: string) => (await receipts(key, query)).map(({ person }) => person)
  const balanced = async (key: string) =>
    (await fleet.ask<{ balanced: boolean }>(`GET /v1/histories/${key}/recount`, { as: 'trainer' })).json.balanced

  it('count once, the first with its time and channel; who has and who has not is told, and agrees with the counts', async () => {
    const { key, ref } = await sent('sss')
    expect((await history(key)).confirmed).to.deep.equal({ yes: 0, no: 3, of: 3 })
    const first = await confirm(tokenFor({ ref, ordinal: 1, version: 1 }), phones.boris)
    expect(first.status).to.equal(200)
    expect(first.json).to.deep.include({ key, person: 'boris', language: 'ru', timeZone: 'Europe/Moscow' })
    expect(first.json.confirmed.channel).to.equal('telegram')
    const again = await confirm(tokenFor({ ref, ordinal: 1, version: 1 }), phones.boris)
    const elsewhere = await confirm(tokenFor({ ref, ordinal: 1, version: 1 }), phones.boris, 'vk')
    expect([again.json.confirmed, elsewhere.json.confirmed]).to.deep.equal([first.json.confirmed, first.json.confirmed])

    const now = await history(key)
    expect(now.confirmed).to.deep.equal({ yes: 1, no: 2, of: 3 })
    expect(now.confirm).to.equal(true)
    expect(now.channels.telegram).to.include({ sent: 2, confirmed: 1 })
    expect(await people(key, 'confirmed=yes')).to.deep.equal(['boris'])
    expect(await people(key, 'confirmed=no')).to.deep.equal(['anna', 'clara'])
    expect((await receipts(key))[1]).to.deep.include({ confirmed: first.json.confirmed })
    const boris = await fleet.ask<PersonReceipts>('GET /v1/people/boris/receipts', { as: 'operator' })
    expect(boris.json.messages.find((each) => each.key === key)?.confirmed).to.deep.equal(first.json.confirmed)
    expect(await balanced(key)).to.equal(true)
    const csv = await fleet.ask<string>(`GET /v1/histories/${key}/receipts?format=csv`, { as: 'trainer' })
    expect(csv.json.split('\r\n')[2]).to.contain(`telegram,${first.json.confirmed.at}`)
  })

  it('of everybody at once count everybody once', async () => {
    const { key, ref } = await sent('sus')
    const presses = Object.values(phones).flatMap((address, ordinal) =>
      ['telegram', 'vk', 'telegram'].map((channel) =>
        confirm(tokenFor({ ref, ordinal, version: 1 }), address, channel),
      ),
    )
    expect((await Promise.all(presses)).map(({ status }) => status)).to.deep.equal(Array(9).fill(200))
    const now = await history(key)
    expect(now.confirmed).to.deep.equal({ yes: 3, no: 0, of: 3 })
    expect(now.channels.telegram).to.include({ confirmed: 3, unknown: 0, sent: 0 })
    expect(now.people).to.include({ delivered: 3 })
    expect(await balanced(key)).to.equal(true)
  })

  it('are of a text: once it is corrected, the older one is confirmed by nobody, and the new one is asked for anew', async () => {
    const { key, ref } = await sent('ssx')
    const told = async (ordinal: number, version: number, address: string) => {
      const { status, json } = await confirm(tokenFor({ ref, ordinal, version }), address)
      return json.code ?? status
    }
    expect(await told(1, 2, phones.boris), 'a text that there is not yet').to.equal('older-text')
    expect(await told(0, 1, phones.anna)).to.equal(200)
    const body = { text: 'The exam is on Tuesday' }
    const { status } = await fleet.ask(`POST /v1/histories/${key}/corrections`, { as: 'trainer' }, body)
    expect(status).to.equal(202)
    expect((await history(key)).confirmed).to.deep.equal({ yes: 0, no: 3, of: 3 })
    expect(await people(key, 'confirmed=no')).to.deep.equal(['anna', 'boris', 'clara'])
    expect(await told(0, 1, phones.anna), 'the first who had').to.equal('older-text')
    expect(await told(1, 1, phones.boris), 'a button of the older text').to.equal('older-text')
    for (const [ordinal, address] of [phones.anna, phones.boris, phones.clara].entries())
      expect(await told(ordinal, 2, address)).to.equal(200)
    const now = await history(key)
    expect(now.confirmed).to.deep.equal({ yes: 3, no: 0, of: 3 })
    expect(now.versions?.map(({ text, confirmed }) => [text, confirmed])).to.deep.equal([
      ['The exam is on Monday', 1],
      ['The exam is on Tuesday', 3],
    ])
    expect(await fleet.redis.getrange(keys.receipts(ref, 'telegram'), 0, 2), 'clara was never sent it').to.equal('ccx')
    expect(await balanced(key)).to.equal(true)
    await fleet.ask(`DELETE /v1/histories/${key}?recall=true`, { as: 'trainer' })
    expect(await told(0, 2, phones.anna), 'withdrawn is not corrected').to.equal(200)
    expect((await history(key)).versions?.map(({ confirmed }) => confirmed)).to.deep.equal([1, 3])
  })

  it('come from the web app, too: of oneself alone, of what has reached one, and of the text that was read', async () => {
    const { key } = await sent('ssf')
    const read = (person: string, who: Who, version = 1, of = key) =>
      fleet.ask<ConfirmationView & { code?: string }>(`PUT /v1/people/${person}/confirmations/${of}`, who, { version })
    const code = async (...call: Parameters<typeof read>) => {
      const { status, json } = await read(...call)
      return json.code ?? status
    }
    const [anna, clara] = [{ browser: await fleet.signIn('anna') }, { browser: await fleet.signIn('clara') }]
    const received = async () =>
      (await fleet.ask<PersonReceipts>('GET /v1/people/anna/receipts', anna)).json.messages.find(
        (each) => each.key === key,
      )
    expect(await code('anna', { as: 'operator' }), 'in her place').to.equal('not-allowed')
    expect(await code('boris', anna)).to.equal('not-allowed')
    expect(await code('clara', clara), 'it has not reached her').to.equal('unknown-confirmation')
    expect(await code('trainer-1', { as: 'trainer' }), 'it is not for him').to.equal('unknown-confirmation')
    expect(await code('anna', anna, 1, `${key}x`)).to.equal('unknown-confirmation')
    expect(await code('anna', anna, 2), 'a text that there is not yet').to.equal('older-text')
    expect(await received()).to.include({ toConfirm: true, version: 1 })
    expect((await history(key)).confirmed).to.deep.equal({ yes: 0, no: 3, of: 3 })

    const first = await read('anna', anna)
    expect([first.status, first.json.confirmed.channel]).to.deep.equal([200, 'web'])
    const ref = parseHistoryKey(key)
    const pressed = await confirm(tokenFor({ ref, ordinal: 0, version: 1 }), phones.anna)
    const again = await read('anna', anna)
    expect([again.json.confirmed, pressed.json.confirmed]).to.deep.equal([first.json.confirmed, first.json.confirmed])
    expect(await received()).to.not.have.property('toConfirm')
    expect((await history(key)).confirmed).to.deep.equal({ yes: 1, no: 2, of: 3 })
    const csv = await fleet.ask<string>(`GET /v1/histories/${key}/receipts?format=csv`, { as: 'trainer' })
    expect(csv.json.split('\r\n')[1]).to.contain(`web,${first.json.confirmed.at}`)

    await fleet.ask(`POST /v1/histories/${key}/corrections`, { as: 'trainer' }, { text: 'The exam is on Tuesday' })
    expect(await code('anna', anna)).to.equal('older-text')
    expect(await received()).to.include({ toConfirm: true, version: 2, text: 'The exam is on Tuesday' })
    expect(await code('anna', anna, 2)).to.equal(200)
    expect((await history(key)).confirmed).to.deep.equal({ yes: 1, no: 2, of: 3 })
    expect(await balanced(key)).to.equal(true)
  })

  it('stand beside a receipt that says failed, cancelled or expired, which stays; they are taken whenever they come', async () => {
    const { key, ref } = await sent('fxe')
    for (const [ordinal, address] of Object.values(phones).entries())
      expect((await confirm(tokenFor({ ref, ordinal, version: 1 }), address)).status).to.equal(200)
    const now = await history(key)
    expect(now.confirmed).to.deep.equal({ yes: 3, no: 0, of: 3 })
    expect(now.channels.telegram).to.include({ failed: 1, cancelled: 1, expired: 1, confirmed: 0 })
    expect(await balanced(key)).to.equal(true)
  })

  it('are refused of somebody else, of strangers, when forged, and of what asks for none', async () => {
    const { key, ref } = await sent('sss')
    const other = await sent('sss')
    const token = tokenFor({ ref, ordinal: 0, version: 1 })
    const code = async (...press: Parameters<typeof confirm>) => {
      const { status, json } = await confirm(...press)
      return [status, json.code]
    }
    expect(await code(token, phones.boris), 'forwarded').to.deep.equal([403, 'not-for-you'])
    expect(await code(token, '999'), 'a stranger').to.deep.equal([404, 'unknown-contact'])
    const signature = token.slice(token.lastIndexOf('.'))
    const forged = [
      'x',
      `${token}x`,
      tokenFor({ ref, ordinal: 1, version: 1 }).replace(/[^.]+$/, signature.slice(1)),
      tokenFor({ ref: other.ref, ordinal: 0, version: 1 }).replace(/[^.]+$/, signature.slice(1)),
    ]
    for (const each of forged) expect(await code(each, phones.boris), each).to.deep.equal([404, 'unknown-confirmation'])
    const plain = await sent('sss', { confirm: undefined })
    expect(await code(tokenFor({ ref: plain.ref, ordinal: 0, version: 1 }), phones.anna)).to.deep.equal([
      404,
      'unknown-confirmation',
    ])
    expect((await history(key)).confirmed).to.deep.equal({ yes: 0, no: 3, of: 3 })
    expect(await history(plain.key)).not.to.have.any.keys('confirm', 'confirmed')
    expect(await people(plain.key, 'confirmed=no'), 'nobody has').to.have.length(3)
    const asTrainer = await fleet.ask(
      'POST /v1/confirmations',
      { as: 'trainer' },
      { channel: 'telegram', address: phones.anna, token },
    )
    expect(asTrainer.status).to.equal(403)
  })

  async function rebuild(): Promise<void> {
    for (let from: string | undefined, isFirst = true; isFirst || from !== undefined; isFirst = false) {
      const body = from === undefined ? {} : { from }
      const { status, json } = await fleet.ask<{ next?: string }>('POST /v1/fleet:rebuild', { as: 'admin' }, body)
      expect(status).to.equal(200)
      from = json.next
    }
  }

  it('go with their message; lost names of messages are made again', async () => {
    const { key, ref } = await sent('sss')
    const token = tokenFor({ ref, ordinal: 0, version: 1 })
    const name = keys.confirmOf(ref.shard, digestOfMember(ref))
    await fleet.redis.unlink(name)
    expect((await confirm(token, phones.anna)).status).to.equal(404)
    await rebuild()
    expect((await confirm(token, phones.anna)).status).to.equal(200)

    await fleet.redis.zadd(keys.retention(ref.shard), 1, memberOf(ref))
    // of those before none is a day old
    expect((await purge(fleet.redis, ref.shard, 86_400_000, 10)).messages).to.equal(1)
    expect(await fleet.redis.exists(keys.confirmed(ref))).to.equal(0)
    expect(await fleet.redis.exists(name)).to.equal(0)
    const after = await confirm(token, phones.anna)
    expect([after.status, after.json.code], key).to.deep.equal([404, 'unknown-confirmation'])
  })

  it('fit on a button, whatever the key', async () => {
    const ref = { shard: '255', sender: 's'.repeat(64), id: 'i'.repeat(40) }
    expect(`confirm:${tokenFor({ ref, ordinal: 9_999_999, version: 1 })}`.length).to.be.at.most(64)
  })

  it('narrow the next message to those who have not, so that one call reminds them', async () => {
    const { key, ref } = await sent('sss')
    await confirm(tokenFor({ ref, ordinal: 1, version: 1 }), phones.boris)
    const remind = { to: ['group:own', `unconfirmed:${key}`], text: 'Please confirm' }
    const { json } = await fleet.ask<{ key: string; audience: { size: number } }>(
      'POST /v1/messages',
      { as: 'trainer' },
      remind,
    )
    expect(json.audience.size).to.equal(2)
    expect((await receipts(json.key)).map(({ person }) => person)).to.deep.equal(['anna', 'clara'])
  })

  it('ask with words of the sender, which have to fit on a button', async () => {
    const button = { ru: 'Приду', en: 'I will come' }
    const { key } = await sent('sss', { confirm: { button } })
    expect((await history(key)).confirm).to.deep.equal({ button })
    const long = { to: ['group:own'], text: 'x', confirm: { button: { ru: 'Я'.repeat(31), en: 'I' } } }
    expect((await fleet.ask('POST /v1/messages', { as: 'trainer' }, long)).status).to.equal(422)
  })
})
