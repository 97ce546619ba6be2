/** Defect 6 of gramjs, shown as it is, then behind its patch: against the real DC stand-in, over real connections. */
import { silentLog, startDeadline } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Api } from 'telegram'
import { connectRawClient } from '../../sandbox/test/telegram/raw-client.ts'
import { readTelegramAccount } from '../src/account.ts'
import { createTelegramConnection } from '../src/connection.ts'
import { createUpdateFeed } from '../src/patches/missed-updates.ts'
import type { PositionStore, UpdatePosition } from '../src/patches/update-progress.ts'

describe('telegram: 6: what people write while the connection is down', () => {
  let world: World
  let dc: Awaited<ReturnType<typeof startStandIn>>
  const stops: (() => Promise<void>)[] = []

  beforeEach(async () => {
    world = new World()
    dc = await startStandIn({ world, log: silentLog })
  })
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
    await dc.stop()
  })
  const say = (text: string) => world.say({ channel: 'telegram', address: '501', text })

  function memory(): PositionStore & { position: UpdatePosition | undefined; saves: number } {
    return {
      position: undefined,
      saves: 0,
      load() {
        return this.position
      },
      save(position) {
        this.position = position
        this.saves++
      },
    }
  }

  /** A client with the patch; `hold` keeps it dealing with what it hears. */
  async function connect(positions: PositionStore, hold: Promise<void> = Promise.resolve()) {
    const heard: string[] = []
    const account = readTelegramAccount({
      TELEGRAM_BOT_TOKEN: dc.endpoint.botToken,
      TELEGRAM_API_ID: String(dc.endpoint.apiId),
      TELEGRAM_API_HASH: dc.endpoint.apiHash,
      TELEGRAM_TARGET: 'sandbox',
      TELEGRAM_DC: `127.0.0.1:${dc.endpoint.port}`,
      TELEGRAM_DC_PUBLIC_KEY: dc.endpoint.publicKey,
    })
    const connection = createTelegramConnection({
      account,
      log: silentLog,
      onUpdates: (updates) => feed.onUpdates(updates),
      onConnected: () => feed.catchUp(),
    })
    const feed = createUpdateFeed({
      async ask(request) {
        const deadline = startDeadline(60_000)
        return connection.request(request, deadline).finally(() => deadline.end())
      },
      async handle(update) {
        if (update instanceof Api.UpdateBotStopped) heard.push(update.stopped ? 'заблокирован' : 'разблокирован')
        if (update instanceof Api.UpdateNewMessage) heard.push((update.message as Api.Message).message)
        await hold
      },
      positions,
      log: silentLog,
    })
    await connection.open(new AbortController().signal)
    let closed = false
    const close = async () => {
      if (!closed) await connection.close()
      closed = true
    }
    stops.push(close)
    return { heard, feed, close }
  }

  it('is never told by gramjs', async () => {
    const first = await connectRawClient(dc.endpoint)
    await first.call(new Api.updates.GetState())
    await first.close()
    say('потеряно')
    const heard: string[] = []
    const again = await connectRawClient(dc.endpoint, {
      prepare(sender) {
        sender._updateCallback = (_client, update) => {
          if (update instanceof Api.Updates) heard.push(JSON.stringify(update))
        }
      },
    })
    stops.push(again.close)
    await again.call(new Api.updates.GetState())
    say('услышано')
    await until(() => heard.length === 1, 'the second one comes')
    expect(heard[0]).to.include('услышано')
  })

  it('patched: is asked for, each of it once, in order', async () => {
    const positions = memory()
    const first = await connect(positions)
    await until(() => positions.position !== undefined, 'it knows where it begins')
    say('один')
    await until(() => first.heard.length === 1, 'it is heard')
    await first.feed.settled()
    await first.close()
    for (const text of ['два', 'три']) say(text)
    const second = await connect(positions)
    await until(() => second.heard.length === 2, 'what was missed is heard')
    say('четыре')
    await until(() => second.heard.length === 3, 'and what is new')
    expect(second.heard).to.deep.equal(['два', 'три', 'четыре'])
  })

  it('patched: so is who has blocked the bot, which Telegram counts by itself', async () => {
    const block = (state: 'blocked' | 'ok') => world.setPhone({ channel: 'telegram', address: '501', state })
    const positions = memory()
    const first = await connect(positions)
    await until(() => positions.position !== undefined, 'it knows where it begins')
    say('один')
    block('blocked')
    await until(() => first.heard.length === 2, 'it is heard')
    await first.feed.settled()
    await first.close()
    expect(positions.position).to.include({ pts: 2, qts: 1 })
    block('ok')
    say('два')
    block('blocked')
    const second = await connect(positions)
    await until(() => second.heard.length === 3, 'what was missed is heard')
    block('ok')
    await until(() => second.heard.length === 4, 'and what is new')
    expect(second.heard).to.deep.equal(['два', 'разблокирован', 'заблокирован', 'разблокирован'])
  })

  it('patched: what was not dealt with when the process ended comes again', async () => {
    const positions = memory()
    const first = await connect(positions, new Promise(() => {}))
    await until(() => positions.position !== undefined, 'it knows where it begins')
    say('на полпути')
    await until(() => first.heard.length === 1, 'it is heard')
    await first.close()
    const second = await connect(positions)
    await until(() => second.heard.length === 1, 'it is heard again')
    await second.feed.settled()
    expect(positions.position?.pts).to.equal(2)
  })

  it('patched: goes on when Telegram counts anew', async () => {
    const positions = memory()
    positions.position = { pts: 500, qts: 0, date: 1 }
    const { heard, feed } = await connect(positions)
    await until(() => positions.saves > 0, 'it has noticed')
    await feed.settled()
    say('снова')
    await until(() => heard.length === 1, 'it is heard')
  })
})
