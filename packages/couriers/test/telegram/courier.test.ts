import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { noUploads, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Courier, Item, Outcome, Pacer } from '../../src/courier.ts'
import { buildTelegramCourier } from '../../src/telegram/courier.ts'
import { createFloods } from '../../src/telegram/floods.ts'
import { randomIdOf } from '../../src/telegram/random-id.ts'
import { settingsFor } from './settings-for.ts'

const signal = new AbortController().signal

describe('telegram: the courier', () => {
  let dataDir: string
  let world: World
  let dc: Awaited<ReturnType<typeof startStandIn>>
  let courier: Courier
  let key = 0n

  const build = (more: NodeJS.ProcessEnv = {}, pacer: Pacer = { take: async () => {} }, deadlineMs = 20_000) =>
    buildTelegramCourier(
      { ...settingsFor(dc.endpoint, more), deadlineMs, lostPatienceMs: deadlineMs },
      { log: silentLog, clock: { now: Date.now }, pacer, uploads: noUploads, onReport: async () => {} },
    )
  const startDc = (port = 0) => startStandIn({ world, log: silentLog, dataDir, ports: { mtproto: port } })

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'telegram-courier-'))
    world = new World()
    world.limits.telegram = { perSecond: null, perChatPerSecond: null }
    dc = await startDc()
    courier = build()
    await courier.start(signal)
  })
  afterEach(async () => {
    await courier.stop()
    await dc.stop()
    rmSync(dataDir, { recursive: true })
  })

  const items = (...addresses: string[]): Item[] =>
    addresses.map((address) => ({ class: 'normal' as const, address, text: 'привет', key: ++key }))
  const send = (batch: readonly Item[]) => courier.send(batch, signal)
  const sendOne = async (item = items('501')[0] as Item) => (await send([item]))[0] as Outcome

  it('names itself by the bot id, never by the token', () => {
    expect(courier.account).to.equal(dc.endpoint.botToken.split(':')[0])
    expect(courier.rate).to.equal(undefined)
    expect(build({ TELEGRAM_RATE_PER_SECOND: '' }).rate).to.deep.equal({ units: 30, perMs: 1000 })
  })

  it('deletes what it has sent, all parts of it, for 48 hours; again it changes nothing', async () => {
    const [short, long] = items('501', '502') as [Item, Item]
    const batch = [short, { ...long, text: 'абв '.repeat(1500) }]
    const outcomes = await send(batch)
    const messages = batch.map((item, i) => ({
      ...item,
      providerId: (outcomes[i] as Extract<Outcome, { kind: 'sent' }>).providerId,
    }))
    const recall = async (index: number) => (await courier.recall?.(messages.slice(index, index + 1), signal))?.[0]
    const chats = () => ['501', '502'].map((address) => world.chats.telegram?.read(address).messages.length)
    const { now } = Date
    try {
      Date.now = () => now() + 47 * 3_600_000
      for (const _ of [1, 2]) expect(await recall(1)).to.deep.include({ kind: 'sent' })
      Date.now = () => now() + 49 * 3_600_000
      expect(await recall(0)).to.deep.include({ kind: 'rejected', class: 'refused' })
    } finally {
      Date.now = now
    }
    expect(chats()).to.deep.equal([1, 0])
    expect(world.revisions).to.have.length(2)
  })

  it('says what is wrong with the bot in one line, without the token', async () => {
    const token = '7000000001:wrong'
    const wrong = build({ TELEGRAM_BOT_TOKEN: token })
    const error = (await wrong.start(signal).catch((error) => error)) as Error
    expect(error.message).to.match(/TELEGRAM_BOT_TOKEN.*ACCESS_TOKEN_INVALID/)
    expect(error.message).not.to.include(token)
    await wrong.stop()
  })

  for (const name of [
    'TELEGRAM_BOT_TOKEN',
    'TELEGRAM_API_ID',
    'TELEGRAM_API_HASH',
    'TELEGRAM_DC',
    'TELEGRAM_DC_PUBLIC_KEY',
  ])
    it(`says that ${name} is missing`, () => {
      expect(() => build({ [name]: '' })).to.throw(new RegExp(`^${name} is missing.*$`))
    })

  it('can be told to stop while Telegram is not there', async () => {
    await courier.stop()
    await dc.stop()
    const lonely = build()
    const abort = new AbortController()
    const starting = lonely.start(abort.signal).catch((error) => error)
    abort.abort()
    expect(await starting).to.be.instanceOf(Error)
    await lonely.stop()
    dc = await startDc()
  })

  it('resumes its session from the file, which nobody else may read', async () => {
    const path = join(dataDir, 'session')
    const keys = () => JSON.parse(readFileSync(join(dataDir, 'telegram-dc.json'), 'utf8')).keys.length
    const first = build({ TELEGRAM_SESSION_FILE: path })
    await first.start(signal)
    await first.stop()
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(readFileSync(path, 'utf8')).not.to.include(dc.endpoint.botToken)
    const known = keys()
    const second = build({ TELEGRAM_SESSION_FILE: path })
    await second.start(signal)
    await second.stop()
    expect(keys()).to.equal(known)
    writeFileSync(path, 'not a session')
    const third = build({ TELEGRAM_SESSION_FILE: path })
    await third.start(signal)
    await third.stop()
    // now and then gramjs takes a second try to agree on one
    expect(keys()).to.be.above(known)
  })

  it('carries on after a restart of Telegram, and logs in again when its key is lost', async () => {
    const { port } = dc.endpoint
    const path = join(dataDir, 'telegram-dc.json')
    for (const forget of [false, true]) {
      await dc.stop()
      if (forget) writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), keys: [] }))
      dc = await startDc(port)
      const [item] = items('501')
      const before = world.accepted.length
      await until(async () => {
        const { kind } = await sendOne(item)
        expect(kind).to.be.oneOf(['not-sent', 'unknown', 'sent'])
        return kind === 'sent'
      }, 'it is sent again')
      expect(world.accepted.length).to.equal(before + 1)
    }
  })

  for (const kind of ['disconnect', 'reply-lost'] as const)
    it(`${kind} in the middle of a batch: handed over again, and nobody gets it twice`, async () => {
      const addresses = Array.from({ length: 50 }, (_, i) => String(600 + i))
      world.addFault({ channel: 'telegram', kind, addresses: ['625'], count: 1 })
      const outcomes = await send(items(...addresses))
      expect(new Set(outcomes.map((outcome) => outcome.kind))).to.deep.equal(new Set(['sent']))
      expect(world.accepted.map(({ address }) => address)).to.have.members(addresses)
    })

  it('answers the rest of a batch whatever happens to some of it', async () => {
    world.setPhone({ channel: 'telegram', address: '502', state: 'blocked' })
    world.addFault({ channel: 'telegram', kind: 'hang', addresses: ['503'] })
    const limit = new AbortController()
    const sending = courier.send(items('501', '502', '503', 'no id', '504'), limit.signal)
    await until(() => world.accepted.length === 2, 'Telegram has had all of them')
    expect((await sendOne(items('505')[0])).kind, 'answered after the others').to.equal('sent')
    limit.abort()
    const outcomes = await sending
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['sent', 'rejected', 'unknown', 'rejected', 'sent'])
    expect(outcomes[3]).to.include({ class: 'invalid', detail: 'bad-address: not a Telegram user id' })
  })

  const restarted = async (other: Courier) => {
    await courier.stop()
    await other.start(signal)
    return other
  }

  it('takes a flood for the chat when the chat has just been served, and when it is the only one', async () => {
    world.limits.telegram = { perSecond: null, perChatPerSecond: 1 / 60 }
    await sendOne()
    const flood = await sendOne()
    if (flood.kind !== 'throttled') throw new Error(`expected throttled, got ${flood.kind}`)
    expect(flood.retryAfterMs).to.be.within(1000, 60_000)
    expect(flood).to.include({ scope: 'recipient', reason: `FLOOD_WAIT_${flood.retryAfterMs / 1000}` })
    world.addFault({ channel: 'telegram', kind: 'throttle', addresses: ['777'], seconds: 40 })
    const outcomes = await send(items('776', '777', '778'))
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['sent', 'throttled', 'sent'])
    expect(outcomes[1]).to.include({ scope: 'recipient', retryAfterMs: 40_000 })
    expect(await sendOne(items('777')[0])).to.include({ scope: 'recipient' })
  })

  it('takes a flood for the account when it meets one chat after the other', async () => {
    world.addFault({ channel: 'telegram', kind: 'throttle', seconds: 9 })
    const outcomes = await send(items('801', '802', '803'))
    expect(outcomes.map((outcome) => (outcome.kind === 'throttled' ? outcome.scope : outcome.kind))).to.deep.equal([
      'recipient',
      'account',
      'account',
    ])
    expect(outcomes[1]).to.include({ retryAfterMs: 9000 })
  })

  it("sends the parts of a long text in order, at the chat's own pace", async () => {
    world.limits.telegram = { perSecond: null, perChatPerSecond: 1 }
    const text = `${'а '.repeat(2000)}${'б '.repeat(2000)}`
    const outcome = await sendOne({ class: 'normal', address: '501', text, key: ++key })
    expect(outcome.kind).to.equal('sent')
    expect(world.accepted.map((entry) => entry.text.charAt(0))).to.deep.equal(['а', 'б'])
    expect(outcome).to.include({ providerId: world.accepted.map(({ providerId }) => providerId).join(',') })
  })

  it('tells trouble of Telegram from a refusal', async () => {
    const answer = async (code: string) => {
      world.addFault({ channel: 'telegram', kind: 'reject', code, count: 1 })
      return sendOne()
    }
    expect(await answer('INTERNAL')).to.include({ kind: 'throttled', scope: 'account' })
    const refused = await answer('CHAT_RESTRICTED')
    expect(refused).to.include({
      kind: 'rejected',
      class: 'refused',
      detail: 'CHAT_RESTRICTED: Telegram refuses this message',
    })
    expect(refused).not.to.have.property('contact')
    expect(await answer('SESSION_REVOKED')).to.include({ kind: 'throttled', scope: 'account' })
    await until(() => world.faults().length === 0, 'the fault is used up')
  })

  it('gives back whoever has no turn in time, and has not sent to them', async () => {
    let units = 2
    const pacer: Pacer = {
      take: (_units, _cls, signal) =>
        units-- > 0
          ? Promise.resolve()
          : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }
    courier = await restarted(build({}, pacer, 8_000))
    const outcomes = await send(items('501', '502', '503', '504'))
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['sent', 'sent', 'throttled', 'throttled'])
    expect(outcomes[2]).to.include({ scope: 'recipient' })
    expect(world.accepted).to.have.length(2)
  })

  it('is not ready while there is no connection, and sends nothing', async () => {
    await dc.stop()
    await until(() => courier.readiness.notReady(), 'it is known that the connection is lost')
    expect((await sendOne()).kind).to.equal('not-sent')
    expect(world.accepted).to.have.length(0)
    dc = await startDc()
  })
})

describe('telegram: small parts', () => {
  it('random ids are valid, steady, and differ from part to part', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (key) => {
        const ids = Array.from({ length: 6 }, (_, part) => randomIdOf(key, part))
        expect(new Set(ids).size).to.equal(ids.length)
        for (const id of ids) expect(id > 0n && id < 2n ** 63n).to.equal(true)
        expect(ids).to.deep.equal(Array.from({ length: 6 }, (_, part) => randomIdOf(key, part)))
      }),
    )
  })

  it('a served chat is remembered for three seconds, and not for long after', () => {
    let now = 0
    const floods = createFloods(() => now)
    floods.served('5', now)
    now = 2999
    expect(floods.scopeOf('9', 9)).to.equal('recipient')
    expect(floods.scopeOf('5', 9)).to.equal('recipient')
    now = 6001
    expect(floods.scopeOf('5', 9)).to.equal('account')
  })

  it('what was accepted after the first flood clears the account, what had been asked before does not, nor does time stand still', () => {
    let now = 1000
    const floods = createFloods(() => now)
    expect(floods.scopeOf('1', 5)).to.equal('recipient')
    floods.served('2', 999)
    expect(floods.scopeOf('3', 5)).to.equal('account')
    floods.served('4', 1000)
    expect(floods.scopeOf('6', 5)).to.equal('recipient')
    now = 6000
    expect(floods.scopeOf('7', 5), 'the first wait is over').to.equal('recipient')
  })
})
