import { type Budgets, type HistoryRef, historyKeyOf, systemSender } from '@courier-fleet/api-types'
import {
  announceProcess,
  budgetKey,
  connectNode,
  createHistories,
  type Histories,
  keys,
  masterOnly,
  readAlarms,
  readHappened,
  settingsOf,
  startDurability,
  useChannel,
  writeAlarm,
} from '@courier-fleet/store'
import { capturedLog, type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createWatcher, type Rounds, type WatcherDeps } from '../src/index.ts'

const shards = 2
const minuteMs = 60_000

describe('the watcher', () => {
  let server: OwnRedis
  let redis: Redis
  let budgets: Budgets
  let histories: Histories
  let logged: ReturnType<typeof capturedLog>
  const watchers: Rounds[] = []
  const connections: Redis[] = []
  beforeEach(async () => {
    budgets = { month: null, day: {}, exempt: [] }
    server = await ownRedis({ appendonly: false })
    redis = await connect('test')
    histories = createHistories({ redis, shards })
    logged = capturedLog()
    await redis.sadd(keys.role(0, 'operator'), 'olga')
    await redis.sadd(keys.role(15, 'operator'), 'oscar')
    await redis.sadd(keys.role(7, 'admin'), 'anna')
  })
  afterEach(async () => {
    await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()))
    for (const connection of connections.splice(0)) connection.disconnect()
    await server.stop()
  })

  async function connect(name: string): Promise<Redis> {
    const connection = connectNode(server.url, { name })
    connections.push(connection)
    await connection.connect()
    return connection
  }
  /** Its lease runs out when a test says so. */
  async function watch(name = 'timekeeper-1', how: Partial<WatcherDeps> = {}): Promise<Rounds> {
    const own = await connect(name)
    const watcher = createWatcher({
      redis: own,
      durability: masterOnly,
      shards,
      settings: { current: () => settingsOf({ budgets }) },
      timeZone: 'Europe/Moscow',
      name,
      histories: createHistories({ redis: own, shards }),
      languagesOf: async (people) => people.map((id) => (id === 'olga' ? 'ru' : 'en')),
      log: logged.log,
      roundMs: 30,
      leaseMs: 3_600_000,
      ...how,
    })
    watchers.push(watcher)
    watcher.start()
    return watcher
  }
  /** What operators were sent, with whom it was for; the newest last. */
  const told = async () => {
    const { found } = await histories.list(systemSender, Date.now() + minuteMs, 100)
    return (await histories.views(found.map(({ ref }) => ref)))
      .map(({ to, text, acceptedAt }) => ({ to: to?.join(), text: text as string, acceptedAt: acceptedAt as string }))
      .sort((a, b) => (a.acceptedAt < b.acceptedAt ? -1 : 1))
  }
  const english = async () => (await told()).filter(({ to }) => to === 'user:oscar').map(({ text }) => text)
  const alarms = async () => (await readAlarms(redis)).map(({ name }) => name)
  const callsOf = async (command: string) =>
    Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await redis.info('commandstats'))?.[1] ?? 0)
  /** Each round asks for the lease. */
  const rounds = async (count: number) => {
    const before = await callsOf('set')
    await until(async () => (await callsOf('set')) >= before + count, 'it has looked again')
  }

  async function work(channel: string, agoMs: number): Promise<string> {
    return (await redis.xadd(
      keys.work('01', channel, 'normal'),
      `${Date.now() - agoMs}-0`,
      'message',
      'd:m',
      'from',
      0,
      'to',
      1,
    )) as string
  }

  async function settled(counters: Record<string, number>): Promise<HistoryRef> {
    const ref = { shard: '01', sender: 'dean', id: 'lecture-0000' }
    const fields = { state: 'settled', size: 2, expected: 'vk', due: 1, accepted: '1-0', ...counters }
    await redis.hset(keys.history(ref), fields)
    await redis.set(keys.receipts(ref, 'vk'), 'sf')
    await redis.zadd(keys.retention('01'), Date.now(), 'dean:lecture-0000')
    return ref
  }

  /** A message of a type whose deadline is in so long, of which so many people wait on SMS. */
  async function promised(id: string, cls: 'normal' | 'bulk', people: number, more: Record<string, string | number>) {
    await redis.hset(keys.history({ shard: '01', sender: 'dean', id }), { due: Date.now(), ...more })
    await redis.hset(keys.waiting('01'), 'sms', people)
    const entry = ['message', `dean:${id}`, 'from', 0, 'to', people]
    return (await redis.xadd(keys.work('01', 'sms', cls), '*', ...entry)) as string
  }

  it('tells operators which channel cannot keep up with the deadlines of which type, and when it can', async () => {
    await useChannel(redis, shards, 'sms')
    const identity = { name: 'sms-1', role: 'courier', channel: 'sms', account: 'one' }
    const courier = announceProcess(redis, identity, () => ({ ready: true, pace: { perSecond: 10 } }))
    await courier.refresh()
    // 400 of 600 seconds at 10/s
    await promised('news-0000', 'bulk', 4_000, { type: 'news', deadline: 10 * minuteMs })
    await promised('other-000', 'bulk', 100_000, { type: 'other' })
    await watch()
    await rounds(20)
    expect(await alarms(), 'what came later is not before it').to.deep.equal([])

    // the bulk has a third of the rate now: 1200 seconds
    const others = await promised('plain-000', 'normal', 20_000, {})
    await until(async () => (await told()).length >= 2, 'operators are told')
    expect(await alarms()).to.deep.equal(['behind:sms:news'])
    expect((await english())[0]).to.match(
      /^SMS cannot keep up: for messages of type news more people wait than can be sent to by their deadline\. /,
    )
    expect((await told()).find(({ to }) => to === 'user:olga')?.text).to.match(
      /^SMS не успевает: сообщений типа news ждёт/,
    )
    expect((await readAlarms(redis))[0]?.detail).to.match(
      /^sms: at 10 a second the last of type news is sent 6\d\d s after its deadline$/,
    )

    await redis.xdel(keys.work('01', 'sms', 'normal'), others)
    await until(async () => (await told()).length >= 4, 'operators are told that it is over')
    expect((await english()).at(-1)).to.match(/^All well again\. It was: SMS cannot keep up/)
    await courier.stop()
  })

  it('tells operators once of a backlog that nobody works on, in their language, and that all is well again', async () => {
    await useChannel(redis, shards, 'sms')
    const entry = await work('sms', minuteMs)
    await watch()
    await watch('timekeeper-2')
    await until(async () => (await told()).length >= 2, 'operators are told')
    await rounds(20)
    const first = await told()
    expect(first.map(({ to }) => to).sort(), 'each once, and no administrator').to.deep.equal([
      'user:olga',
      'user:oscar',
    ])
    expect((await english())[0]).to.match(/^SMS: messages wait and nobody works on them\. Start its couriers/)
    expect(first.find(({ to }) => to === 'user:olga')?.text).to.match(/^SMS: сообщения ждут/)
    expect(await alarms()).to.deep.equal(['stuck:sms'])

    await redis.xdel(keys.work('01', 'sms', 'normal'), entry)
    const courier = announceProcess(redis, { name: 'sms-1', role: 'courier', channel: 'sms' }, () => ({ ready: true }))
    await courier.refresh()
    await until(async () => (await told()).length >= 4, 'operators are told that it is over')
    await rounds(20)
    expect((await english()).at(-1)).to.match(/^All well again\. It was: SMS: messages wait/)
    expect(await alarms()).to.deep.equal([])
    const lines = logged
      .text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(lines.map(({ msg, alarm }) => [msg, alarm])).to.deep.equal([
      ['alarm', 'stuck:sms'],
      ['all well again', 'stuck:sms'],
    ])

    await work('sms', minuteMs)
    await courier.stop()
    await until(async () => (await alarms()).length > 0, 'it holds again')
    await rounds(20)
    expect(await told(), 'within the hour nobody is told twice').to.have.length(4)
  })

  describe('where operators cannot be told at first', () => {
    const noHistories = async (): Promise<never> => {
      throw new Error('the slot is under way')
    }
    let entry: string
    beforeEach(async () => {
      await useChannel(redis, shards, 'sms')
      entry = await work('sms', minuteMs)
    })

    it('tells them in a later round, whoever was told already not again, and that it is over', async () => {
      let puts = 0
      // it is told in one language, then for a while in none
      const put: Histories['put'] = (input) => {
        puts += 1
        return puts < 2 || puts > 4 ? histories.put(input) : noHistories()
      }
      await watch('timekeeper-1', { histories: { ...histories, put } })
      await until(async () => (await english()).length > 0, 'both are told')
      await until(async () => (await readAlarms(redis))[0]?.isTold, 'it is noted')
      expect((await told()).map(({ to }) => to).sort()).to.deep.equal(['user:olga', 'user:oscar'])
      expect(logged.text()).to.include('operators cannot be told of an alarm; trying again')
      await redis.xdel(keys.work('01', 'sms', 'normal'), entry)
      const courier = { name: 'sms-1', role: 'courier', channel: 'sms' }
      const announced = announceProcess(redis, courier, () => ({ ready: true }))
      await announced.refresh()
      await until(async () => (await told()).length === 4, 'both are told that it is over')
      await announced.stop()
    })

    it('tells them by another timekeeper, where the one that raised it has ended', async () => {
      let puts = 0
      const put = () => {
        puts += 1
        return noHistories()
      }
      const first = await watch('timekeeper-1', { histories: { ...histories, put } })
      await until(() => puts > 0, 'it could not tell')
      const [raised] = await readAlarms(redis)
      expect(raised).to.include({ name: 'stuck:sms', isTold: false })
      await first.stop()
      await redis.del(keys.watcher)
      await watch('timekeeper-2')
      await until(async () => (await told()).length === 2, 'both operators are told')
      expect((await readAlarms(redis))[0]?.since).to.equal(raised?.since)
    })

    it('sees meanwhile that another alarm is over', async () => {
      await writeAlarm(redis, { name: 'dead:vk', since: 7_000, detail: 'no courier', isTold: false })
      await watch('timekeeper-1', { histories: { ...histories, put: noHistories } })
      await until(async () => (await alarms()).join() === 'stuck:sms', 'the other is over')
    })

    it('tells once where it was told and that was not noted', async () => {
      const first = await watch()
      await until(async () => (await readAlarms(redis))[0]?.isTold, 'they are told')
      await first.stop()
      await redis.del(keys.watcher)
      const [alarm] = await readAlarms(redis)
      if (alarm) await writeAlarm(redis, { ...alarm, isTold: false })
      await watch('timekeeper-2')
      await until(async () => (await readAlarms(redis))[0]?.isTold, 'it is noted')
      expect(await told()).to.have.length(2)
    })
  })

  it('goes on by another timekeeper when the one that watched has ended', async () => {
    const first = await watch()
    await until(async () => (await redis.get(keys.watcher)) === 'timekeeper-1', 'the first watches')
    await watch('timekeeper-2')
    await rounds(10)
    expect(await redis.get(keys.watcher)).to.equal('timekeeper-1')
    await first.stop()
    await redis.pexpire(keys.watcher, 1)
    await until(async () => (await redis.get(keys.watcher)) === 'timekeeper-2', 'the second watches')
  })

  it('tells once that all is well again, also where it was held up until another watched', async () => {
    await settled({ 'vk:s': 1, 'vk:f': 1 })
    await writeAlarm(redis, { name: 'stuck:sms', since: Date.now(), detail: 'x', isTold: true })
    let isHeldUp = false
    let goOn = () => {}
    const released = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const state = async (ref: HistoryRef) => {
      isHeldUp = true
      await released
      return histories.state(ref)
    }
    const first = await watch('timekeeper-1', { histories: { ...histories, state } })
    await until(() => isHeldUp, 'the first has seen the alarm, and stands still')
    await redis.pexpire(keys.watcher, 1)
    await watch('timekeeper-2')
    await until(async () => (await told()).length === 2, 'the second has told both operators')
    goOn()
    await first.stop()
    expect(await told()).to.have.length(2)
  })

  it('finds a ledger that does not match its receipts, and sees when it does again', async () => {
    const ref = await settled({ 'vk:s': 2 })
    await watch()
    // an alarm stands there a moment before operators are told of it, and is gone a moment before they are told that
    await until(async () => (await english()).length > 0, 'it is found and told')
    expect(await alarms()).to.deep.equal([`imbalance:${historyKeyOf(ref)}`])
    expect((await english())[0])
      .to.contain(historyKeyOf(ref))
      .and.to.contain('Recount it')
    await redis.hset(keys.history(ref), { 'vk:s': 1, 'vk:f': 1 })
    await until(async () => (await english()).length > 1, 'it is seen to be right, and told')
    expect(await alarms()).to.deep.equal([])
    expect((await english()).at(-1)).to.match(/^All well again/)
  })

  it('says nothing of ledgers that are right', async () => {
    await settled({ 'vk:s': 1, 'vk:f': 1 })
    await watch()
    await rounds(30)
    expect([await alarms(), await told()]).to.deep.equal([[], []])
  })

  it('says nothing of a ledger that moves while it is looked at', async () => {
    const ref = await settled({ 'vk:s': 1, 'vk:f': 1 })
    const failedTo = (bytes: string, by: number) => {
      const moved = redis.multi().hincrby(keys.history(ref), 'vk:s', by).hincrby(keys.history(ref), 'vk:f', -by)
      return moved.setrange(keys.receipts(ref, 'vk'), 0, bytes).exec()
    }
    let isOver = false
    const moving = (async () => {
      while (!isOver) {
        await failedTo('ss', 1)
        await failedTo('sf', -1)
      }
    })()
    await watch()
    await rounds(30)
    isOver = true
    await moving
    expect([await alarms(), await told()]).to.deep.equal([[], []])
  })

  it('gives a courier that is started again three rounds', async () => {
    await useChannel(redis, shards, 'vk')
    await watch('timekeeper-1', { roundMs: 250 })
    await until(async () => (await alarms()).length > 0, 'it is found')
    expect(await callsOf('pexpire'), 'rounds after the first, which prolong the lease').to.be.at.least(2)
    expect(await alarms()).to.deep.equal(['dead:vk'])
  })

  it('tells operators of a growth of the shards that waits for processes, once it has stalled, and when it waits no more', async () => {
    const announce = (name: string, looksInto: number) =>
      redis.hset(keys.process(name), { name, role: 'notifier', pid: 1, startedAt: 1000, ready: 1, shards: looksInto })
    await redis.hset(keys.fleet, { shards: 64, former: '16' })
    await redis.sadd(keys.processes, 'notifier-1', 'notifier-2')
    await announce('notifier-1', 16)
    await announce('notifier-2', 64)
    await watch()
    await until(async () => (await english()).length > 0, 'it is told')
    expect(await callsOf('pexpire'), 'rounds after the first, which prolong the lease').to.be.at.least(89)
    expect((await readAlarms(redis)).map(({ name, detail }) => [name, detail])).to.deep.equal([
      ['growing', 'the shards grow to 64; to be started anew: notifier-1'],
    ])
    expect(await english()).to.deep.equal([
      'The shards have been growing for a quarter of an hour, and some processes do not look into all of them yet: new messages are laid as before until they do. "fleet shards" names them; start each anew.',
    ])
    await announce('notifier-1', 64)
    await until(async () => (await alarms()).length === 0, 'it is over')
  })

  /** What was noted as over: what, and of what; the oldest first. */
  const over = async () => (await readHappened(redis, 0, 100)).map(({ what, of }) => `${what} ${of}`.trim())

  it('notes which processes have ended or are others now, which provider takes more again, and which alarm is over', async () => {
    await redis.sadd(keys.processes, 'courier-vk-1', 'courier-vk-2', 'courier-sms-1')
    const announce = (name: string, channel: string, more: object) =>
      redis.hset(keys.process(name), { name, role: 'courier', channel, pid: 1, startedAt: 1000, ready: 1, ...more })
    const slowDown = { since: 5_000, until: 6_000, why: 'Flood control' }
    await announce('courier-vk-1', 'vk', { lately: JSON.stringify({ sentPerSecond: 0, slowDown }) })
    await announce('courier-vk-2', 'vk', {})
    await announce('courier-sms-1', 'sms', {})
    await writeAlarm(redis, { name: 'dead:vk', since: 7_000, detail: 'no courier', isTold: false })
    await watch()
    await watch('timekeeper-2')
    await until(async () => (await over()).length > 0, 'the alarm is over')
    expect(await over()).to.deep.equal(['alarm-over dead:vk'])
    await announce('courier-vk-1', 'vk', { lately: JSON.stringify({ sentPerSecond: 0 }) })
    await until(async () => (await over()).length > 1, 'the provider takes more again')
    await announce('courier-vk-2', 'vk', { startedAt: 2000 })
    await until(async () => (await over()).length > 2, 'it was started again')
    await redis.del(keys.process('courier-sms-1'))
    await until(async () => (await over()).length > 3, 'it has ended')
    await rounds(3)
    expect(await over(), 'each once, though two timekeepers have seen it').to.deep.equal([
      'alarm-over dead:vk',
      'slow-down-over vk',
      'process-restarted courier-vk-2',
      'process-ended courier-sms-1',
    ])
    const [alarm, slow] = await readHappened(redis, 0, 100)
    expect([alarm?.since, slow?.since]).to.deep.equal([7_000, 5_000])
  })

  it('notes what ended while nobody watched, once another timekeeper watches', async () => {
    await redis.sadd(keys.processes, 'courier-vk-1')
    await redis.hset(keys.process('courier-vk-1'), { name: 'courier-vk-1', role: 'courier', pid: 1, startedAt: 1000 })
    await redis.set(keys.watcher, 'timekeeper-0')
    const before = await callsOf('smembers')
    await watch('timekeeper-1')
    await until(async () => (await callsOf('smembers')) > before + 1, 'it has seen who is there')
    await redis.del(keys.process('courier-vk-1'))
    const without = await callsOf('smembers')
    await until(async () => (await callsOf('smembers')) > without + 1, 'it has seen that one is not')
    expect(await over(), 'another watches').to.deep.equal([])
    await redis.del(keys.watcher)
    await until(async () => (await over()).length > 0, 'it watches now')
    expect(await over()).to.deep.equal(['process-ended courier-vk-1'])
  })

  it('notes that Redis was away, and since when', async () => {
    await watch()
    await until(async () => (await redis.exists(keys.watcher)) === 1, 'it watches')
    const from = Date.now()
    await server.restart()
    await until(async () => (await over().catch((): string[] => [])).includes('redis-away'), 'it is noted')
    const [away] = await readHappened(redis, 0, 100)
    expect(away?.since).to.be.within(from, away?.at as number)
  })

  it('tells of a dead channel, of lateness and of a full Redis', async () => {
    await useChannel(redis, shards, 'vk')
    await redis.zadd(keys.due('00'), Date.now() - 20_000, 'dean:lecture:0')
    // so much that what this test does itself makes no difference
    await redis.setrange('much', 32_000_000, 'x')
    const { used_memory: used } = Object.fromEntries(
      (await redis.info('memory')).split('\r\n').map((line) => line.split(':') as [string, string]),
    )
    await redis.config('SET', 'maxmemory', Math.round(Number(used) * 1.08))
    await watch()
    await until(async () => (await alarms()).length === 3, 'all are found')
    expect(await alarms()).to.deep.equal(['dead:vk', 'late', 'redis-full'])
    await until(async () => (await english()).length === 3, 'all are told')
    expect((await english()).join('\n'))
      .to.contain('no courier is ready')
      .and.contain('Messages start late')
      .and.contain('Redis is nearly full')
  })

  it('tells when most of the budget of the month is spent, when it is gone, and when it was raised', async () => {
    budgets = { ...budgets, month: { parts: 10 } }
    const limit = { parts: 10 }
    const key = budgetKey({ of: 'month', limit }, '', { nowMs: Date.now(), timeZone: 'Europe/Moscow' })
    await redis.hset(key, 'spent', 7)
    await watch()
    await rounds(2)
    expect(await alarms()).to.deep.equal([])
    await redis.hset(key, 'spent', 8)
    await until(async () => (await alarms()).includes('budget-low'), 'it is found')
    await redis.hset(key, 'refused', 10)
    await until(async () => (await alarms()).includes('budget-gone'), 'somebody was refused')
    await until(
      async () => (await english()).some((text) => /for this month is spent: people/.test(text)),
      'it is told',
    )
    budgets = { ...budgets, month: { parts: 20 } }
    await until(async () => (await alarms()).length === 0, 'it was raised')
    await until(async () => (await english()).some((text) => /^All well again.*80 %/.test(text)), 'that is told')
  })

  it('tells when no replica answers, and when one does again', async () => {
    const redis = connectNode(server.url, { name: 'durable' })
    connections.push(redis)
    await redis.connect()
    const durability = await startDurability({ url: server.url, redis, level: 'replica', name: 'test' })
    const { hostname, port } = new URL(server.url)
    const replica = await ownRedis()
    try {
      await watch('timekeeper-1', { durability })
      await until(async () => (await alarms()).includes('no-replica'), 'it is found')
      await until(async () => (await english()).some((text) => /^No replica of Redis answers/.test(text)), 'it is told')
      await replica.redis().replicaof(hostname, port)
      await until(async () => !(await alarms()).includes('no-replica'), 'it is over')
      await until(
        async () => (await english()).some((text) => /^All well again.*No replica/.test(text)),
        'that is told',
      )
    } finally {
      durability.stop()
      await replica.stop()
    }
  })
})
