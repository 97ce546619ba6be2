/** What a terminal shows that a pipe does not: pictures that are kept up to date, times of one's own zone, and how long it still takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryView, StreamList } from '@courier-fleet/api-types'
import type { Outcome } from '@courier-fleet/couriers'
import { announceProcess, endGrowth, ensureGroup, keys, layout, masterOnly, readShards } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { type Seen, troublesOf } from '@courier-fleet/words'
import { expect } from 'chai'
import { fakeCourier } from '../../couriers/test/engine/fake-courier.ts'
import { headOf } from '../src/commands/top.ts'
import { fleetCommand } from '../src/index.ts'
import { channelTable, type Now, progressBlock, progressLine } from '../src/outcome.ts'
import { lookOf } from '../src/style.ts'
import { startCommandedFleet } from './commanded-fleet.ts'
import { screen } from './screen.ts'

describe('on a terminal', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const asOperator = () => ({ FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.operator, NO_COLOR: '1' })
  const local = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d+ \w+ \d{4}, \d\d:\d\d:\d\d \S+/

  it('top is one picture, written anew in place, with the words of a courier that cannot send', async () => {
    const identity = { name: 'courier-vk-7', role: 'courier', channel: 'vk' }
    const notReady = { since: Date.now(), why: 'VK cannot be reached (ECONNREFUSED)' }
    const announced = announceProcess(fleet.fixture.redis, identity, () => ({ ready: false, notReady }))
    await announced.refresh()
    const terminal = screen(true, 160, 40)
    const args = ['top', '--times', '3', '--every', '0.5']
    const { code, err } = await fleet.run(fleetCommand, args, asOperator(), { screen: terminal.stream })
    await announced.stop()
    expect([code, err]).to.deep.equal([0, ''])
    const seen = await terminal.seen()
    expect(seen.filter((line) => line.startsWith('channel '))).to.have.length(1)
    expect(seen.find((line) => line.startsWith('channel '))).to.match(
      /people waiting .* oldest +answers, half \/ 99 % +people\/s +allowed\/s$/,
    )
    expect(seen.find((line) => line.startsWith('telegram '))).to.match(
      /ready +\d of \d +0 +0 +0 +0\.0 s +(–|\d+\.\d\d \/ \d+\.\d\d s) +\d+\.\d +–$/,
    )
    expect(seen.join('\n')).to.match(
      new RegExp(`courier-vk-7 is not ready since ${local.source}: VK cannot be reached`),
    )
  })

  it('top says of which version the processes are, and in an upgrade which are of another than most', async () => {
    const { out } = await fleet.run(fleetCommand, ['top', '--json'], asOperator())
    const { service } = JSON.parse(out) as Seen
    const look = lookOf({ screen: undefined, env: {} })
    const process = (name: string, version?: string) => ({
      ...{ name, role: 'courier', startedAt: service.asOf, ready: true, silent: false },
      ...(version === undefined ? {} : { version }),
    })
    const head = (...processes: ReturnType<typeof process>[]) =>
      headOf({ ...service, processes }, [], look)
        .split('\n')[0]
        ?.split(' · ')[1]
    expect(head(process('a', '2.0.0'), process('b', '2.0.0'))).to.equal('2 processes of version 2.0.0')
    expect(head(process('a'), process('b', '2.0.0'), process('c', '2.0.0'), process('d', '1.0.0'))).to.equal(
      '4 processes, 2 of version 2.0.0; of a version that does not say so: a; of version 1.0.0: d',
    )
  })

  it('top says that replicas do not confirm, and not that nothing is wrong', async () => {
    const { out } = await fleet.run(fleetCommand, ['top', '--json'], asOperator())
    const { service, channels } = JSON.parse(out) as Seen
    const look = lookOf({ screen: undefined, env: {} })
    const head = (isConfirmed: boolean) => {
      const seen = { ...service, isWatched: true, alarms: [], redis: { ...service.redis, isConfirmed } }
      return headOf(seen, troublesOf({ channels, service: seen }), look)
    }
    expect(head(true)).to.include('Nothing is wrong.').and.not.include('Replicas')
    expect(head(false)).to.include('Replicas of Redis do not confirm').and.not.include('Nothing is wrong.')
  })

  it('top says of whom there is no sign of life, and not that nothing is wrong', async () => {
    const { redis } = fleet.fixture
    const [name, key] = ['courier-vk-8', keys.process('courier-vk-8')]
    const said = { name, role: 'courier', channel: 'vk', pid: 1, startedAt: 1000, ready: 1 }
    let seen = ''
    do {
      // as it is eight seconds after its last heartbeat, however long each look takes
      await redis.multi().hset(key, said).pexpire(key, 7_000).sadd(keys.processes, name).exec()
      seen = (await fleet.run(fleetCommand, ['top'], asOperator())).out
    } while (!seen.includes('courier-vk-8: no sign of life'))
    await redis.multi().del(key).srem(keys.processes, name).exec()
    expect(seen).to.match(/courier-vk-8: no sign of life since .*; it has ended, or hangs/)
    expect(seen).to.not.include('Nothing is wrong.')
  })

  it('top says which URLs are not called, since when, why and when they are tried again', async () => {
    const { redis } = fleet.fixture
    const [opened, until] = [Date.now() - 60_000, Date.now() + 60_000]
    const breaker = keys.breaker('http', 'endpoint')
    const said = '503: maintenance'
    await redis.hset(breaker, { said, at: opened, opened, step: 30_000, until, host: 'lms.example.org' })
    await redis.zadd(keys.openBreakers('http'), opened, `endpoint ${opened}`)
    let seen = ''
    do seen = (await fleet.run(fleetCommand, ['top'], asOperator())).out
    while (!seen.includes('URLs left alone'))
    await redis.del(breaker, keys.openBreakers('http'))
    expect(seen).to.match(/^http, URLs left alone: 1$/m)
    expect(seen).to.match(/^ {2}lms\.example\.org left alone since .*, tried again at .*: 503: maintenance$/m)
  })

  it('channels says of each class who waits and what part of the last minute it had', async () => {
    const answerMs = { median: 90, p99: 400 }
    const lately = { sentPerSecond: 1, lastMinute: { urgent: 57, normal: 0, bulk: 43 }, answerMs }
    const identity = { name: 'courier-sms-7', role: 'courier', channel: 'sms', account: 'one' }
    const [since, until, why] = [Date.now() - 90_000, Date.now() - 60_000, 'ESME_RSYSERR']
    const accounts = [
      { name: 'first', account: 'a', prefixes: [], state: { is: 'left-alone', since: until, why: 'ESME_RTHROTTLED' } },
      {
        name: 'second',
        account: 'b',
        perSecond: 20,
        prefixes: ['+7916'],
        state: { is: 'works' },
        lastLeftAlone: { since, until, why },
      },
    ] as const
    const working = { ready: true, pace: { perSecond: 10 }, lately, accounts }
    const announced = announceProcess(fleet.fixture.redis, identity, () => working)
    await announced.refresh()
    const work = keys.work('00', 'sms', 'bulk')
    await fleet.fixture.redis.xadd(work, '*', 'message', 'dean:b', 'from', 0, 'to', 250)
    const { redis } = fleet.fixture
    await redis.hset(keys.figures, { 'account_people sms first own': 812, 'account_people sms first taken-over': 3 })
    await redis.set(keys.pause('sms', 'a'), '60000', 'PX', 60_000)
    const { out } = await fleet.run(fleetCommand, ['channels'])
    await redis.del(work, keys.figures, keys.pause('sms', 'a'))
    await announced.stop()
    const lines = out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))
    expect(lines).to.include.members([
      'class | channel | people waiting | takes | last minute | share | by weight | weight',
      'urgent | sms | 0 | 0.0 s | 57 | 57.0 % | 57.1 % | 4',
      'bulk | sms | ≤ 250 | 25.0 s | 43 | 43.0 % | 14.3 % | 1',
    ])
    expect(out).to.match(/^courier-sms-7, first account is left alone since .+: ESME_RTHROTTLED$/m)
    expect(out).to.match(/^courier-sms-7, second account \(\+7916\) works; was left alone .+ to .+: ESME_RSYSERR$/m)
    expect(out).to.match(
      /^sms, first account: 815 people went by it, 3 of them in the place of another account; asks to wait for \d+\.\d s$/m,
    )
    expect(out).to.match(/^sms, second account: 0 people went by it; 20 a second allowed$/m)
    expect(out).to.match(/^sms .*0\.09 \/ 0\.40 s$/m)
    expect(out, 'nobody is normal').not.to.match(/^normal +sms/m)
  })

  it('streams says of each what Redis holds, what is claimed and by whom, and what nobody has claimed', async () => {
    const { redis } = fleet.fixture
    const [bulk, other] = [keys.work('00', 'sms', 'bulk'), keys.work('01', 'sms', 'bulk')]
    const identity = { name: 'courier-sms-9', role: 'courier', channel: 'sms' }
    const announced = announceProcess(redis, identity, () => ({ ready: true }))
    await announced.refresh()
    const entry = ['message', 'dean:b', 'from', 0, 'to', 9] as const
    const since = Date.now() - 90_000
    for (const id of [`${since}-0`, `${since + 1}-0`, `${since + 2}-0`]) await redis.xadd(bulk, id, ...entry)
    await redis.xadd(other, '*', ...entry)
    await ensureGroup(redis, bulk, 'sms')
    await redis.xreadgroup('GROUP', 'sms', identity.name, 'COUNT', 2, 'STREAMS', bulk, '>')
    const run = async (...args: string[]) => {
      const { out } = await fleet.run(fleetCommand, ['streams', '--channel', 'sms', ...args], asOperator())
      return out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))
    }
    const sums = await run()
    const each = await run('--each')
    const { out: json } = await fleet.run(fleetCommand, ['streams', '--json'], asOperator())
    const { streams } = JSON.parse(json) as StreamList
    const refused = await fleet.run(fleetCommand, ['streams'])
    await announced.stop()
    await redis.del(bulk, other)
    expect(sums[0]).to.equal('channel | class | streams | entries | pending | lag | oldest | consumers')
    expect(sums.find((line) => line.startsWith('sms | bulk'))).to.match(
      /^sms \| bulk \| \d+ \| 4 \| 2 \| 2 \| (9\d|1\d\d)\.\d s \| 1$/,
    )
    expect(sums.join('\n')).to.match(/^courier-sms-9 has 2 pending, idle for \d+\.\d s$/m)
    expect(each.find((line) => line.startsWith(`${other} |`))).to.match(/\| none \| 1 \| 0 \| 1 \| \d+\.\d s \| 0$/)
    expect(streams.find(({ key }) => key === bulk)?.group).to.deep.include({ name: 'sms', pending: 2, lag: 1 })
    expect(refused.err).to.match(/^streams: .*operator/)
  })

  it('shards says how many there are, grows them, and names who has to be started anew', async () => {
    const { redis } = fleet.fixture
    const run = (...args: string[]) => fleet.run(fleetCommand, ['shards', ...args], asOperator())
    const number = await redis.hget(keys.fleet, 'shards')
    const now = await run()
    expect([now.code, now.out.trim()]).to.deep.equal([0, `${number} shards.`])
    const wrong = await run('32')
    expect([wrong.code, wrong.err]).to.deep.equal([2, 'shards: there are 16, 64 or 256, and no other number\n'])
    const [name, key] = ['courier-sms-9', keys.process('courier-sms-9')]
    const said = { name, role: 'courier', pid: 1, startedAt: 1000, ready: 1, shards: number ?? '' }
    await redis.multi().hset(key, said).sadd(keys.processes, name).exec()
    const grown = await run('64')
    expect([grown.code, grown.out.trim().split('\n')]).to.deep.equal([
      1,
      [
        `Growing to 64 shards. New messages are laid by ${number} until every process looks into all of them.`,
        'Start these anew, one after the other; the rest goes by itself:',
        '  courier-sms-9',
      ],
    ])
    await redis.multi().del(key).srem(keys.processes, name).exec()
    expect((await run()).out).to.contain(
      'Every process does: a timekeeper has new messages laid by all within seconds.',
    )
    await endGrowth(redis, masterOnly, await readShards(redis))
    const whole = await run()
    expect(whole.code).to.equal(0)
    expect(whole.out).to.match(/^64 shards, since .+; before: \d+\.$/m)
    await redis.hdel(keys.fleet, 'former', 'since')
    await redis.hset(keys.fleet, { shards: number ?? '', layout })
    const refused = await fleet.run(fleetCommand, ['shards'])
    expect(refused.err).to.match(/^shards: .*operator/)
  })

  it('channels --watch is kept up to date; in a pipe the pictures stand below each other', async () => {
    const args = ['channels', '--watch', '--times', '2', '--every', '0.5']
    const terminal = screen(true, 160, 40)
    await fleet.run(fleetCommand, args, {}, { screen: terminal.stream })
    expect((await terminal.seen()).filter((line) => line.startsWith('telegram '))).to.have.length(1)
    const piped = await fleet.run(fleetCommand, args)
    expect(piped.out.split('\n').filter((line) => line.startsWith('telegram '))).to.have.length(2)
    expect(piped.code).to.equal(0)
    expect((await fleet.run(fleetCommand, ['channels', '--watch', '--every', '0'])).err).to.equal(
      'channels: --every takes 0.5 or more seconds, not "0"\n',
    )
    const once = await fleet.run(fleetCommand, ['top'], asOperator())
    expect(once.out.split('\n').filter((line) => line.startsWith('telegram '))).to.have.length(1)
    expect((await fleet.run(fleetCommand, ['top'])).err).to.match(/^top: .*operator/)
  })

  it('times are in the zone of the terminal, and as the API writes them elsewhere', async () => {
    const { key, at } = await fleet.client.send({ to: ['user:anna'], text: 'Hello', in: 3600 })
    const shown = (around = {}) => fleet.run(fleetCommand, ['status', key], { ...asOperator() }, around)
    expect((await shown()).out).to.include(at)
    const onTerminal = (await shown({ isTerminal: true })).out
    expect(onTerminal)
      .to.match(new RegExp(`^due +${local.source}$`, 'm'))
      .and.not.include(at)
  })

  const at = (ms: number): Now => ({
    ms,
    standstills: [],
    leftMs: undefined,
    look: lookOf({ screen: undefined, env: {} }),
  })

  it('says how long it still takes where that is known, and somebody is sending', () => {
    const now = Date.now()
    const view = (state: string) =>
      ({ state, audience: { size: 100 }, people: { delivered: 60, pending: 30 }, channels: {}, expected: [] }) as never
    const said = (leftMs: number | undefined, more: Partial<Now> = {}, state = 'running') =>
      progressLine(view(state), { ...at(now), leftMs, ...more })
    expect(said(4100)).to.match(/^running: .*; about 5 seconds left$/)
    expect(said(600_000)).to.match(/; about 10 minutes left$/)
    expect(said(undefined)).not.to.include('left')
    expect(said(4100, {}, 'settled')).not.to.include('left')
    const standstills = [{ channel: 'vk', why: 'no-courier' as const, since: new Date(now).toISOString() }]
    expect(said(4100, { standstills }))
      .to.match(/ · Nobody is sending on VK at the moment \(since .*\): its messages wait, and go on by themselves\.$/)
      .and.not.include('left')
  })

  it('watch says how long it still takes, by how fast it goes', async () => {
    const { redis } = fleet.fixture
    const slow = async (): Promise<Outcome> => {
      await sleep(500)
      return { kind: 'sent', providerId: 'id' }
    }
    const courier = fakeCourier({ channel: 'sms', batchSize: 5, concurrency: 1, answer: slow })
    const runner = await fleet.fixture.run(courier)
    const identity = { name: 'courier-sms-1', role: 'courier', channel: 'sms' }
    const announced = announceProcess(redis, identity, () => ({ ready: true }))
    await announced.refresh()
    const people = await fleet.fixture.people(40, 'sms')
    const { key } = await fleet.admin.send({ to: people.map((id) => `user:${id}`), text: 'Hello', channels: ['sms'] })
    const env = { ...asOperator(), FLEET_API_KEY: fleet.service.keyOf.admin }
    const { err } = await fleet.run(fleetCommand, ['watch', key, '--wait', '120'], env)
    await announced.stop()
    await runner.stop(0)
    expect(err).to.match(/^running: .*; about \d+ seconds? left · sms \d+\/40$/m)
  })

  it('watch says that nobody is sending where there is no courier', async () => {
    const { key } = await fleet.client.send({ to: ['user:anna'], text: 'Hello', channels: ['sms'] })
    // it is asked who sends as the watch begins, if it runs by then, and not again for five seconds
    await until(async () => (await fleet.client.history(key)).state === 'running', 'it runs')
    const { code, err } = await fleet.run(fleetCommand, ['watch', key, '--wait', '15'])
    expect(code).to.not.equal(0)
    expect(err).to.match(/ · Nobody is sending on SMS at the moment: its messages wait, and go on by themselves\.$/m)
    await fleet.client.cancel(key)
  })

  it('says nothing of channels on which nobody has a contact', () => {
    const ledger = (contacts: number) => ({ accepted: 3, pending: 0, 'no-contact': 3 - contacts, state: 'settled' })
    const channels = { http: ledger(0), sms: ledger(3) }
    const history = { state: 'running', audience: { size: 3 }, people: { delivered: 3 }, channels, expected: [] }
    expect(progressLine(history as unknown as HistoryView, at(Date.now()))).to.match(
      /^running: [^·]+ · sms 3\/3, done$/,
    )
  })

  it('has no row for a channel on which nobody has a contact, and says so below', () => {
    const ledger = (none: number) => ({ accepted: 3, pending: 0, sent: 3 - none, failed: 0, 'no-contact': none })
    const rows = (channels: Record<string, object>) =>
      channelTable({ channels } as unknown as HistoryView)
        .split('\n')
        .map((row) => row.split(/ {2,}/)[0]?.trim())
    expect(rows({ telegram: ledger(1), http: ledger(3), mail: ledger(3) })).to.deep.equal([
      'channel',
      'telegram',
      'Nobody of them has a contact on: http, mail',
    ])
    expect(rows({ telegram: ledger(0) })).to.deep.equal(['channel', 'telegram'])
    expect(rows({ sms: ledger(3) })).to.deep.equal(['Nobody of them has a contact on: sms'])
  })

  it('tells how far a channel is of all it is for, and apart from them who has no contact there, as they are found', () => {
    const running = (pending: number, none: number) => {
      const ledger = { accepted: 239, pending, 'no-contact': none, sent: 239 - pending - none, state: 'open' }
      const people = { pending, sentToChat: 239 - pending - none, withoutContact: none }
      return { state: 'running', audience: { size: 239 }, people, channels: { vk: ledger }, expected: ['vk'] }
    }
    const told = [running(200, 10), running(0, 29)].map((history) => {
      const view = history as unknown as HistoryView
      return [
        progressLine(view, at(Date.now())).split(' · ').at(-1),
        progressBlock(view, at(Date.now())).split('\n').at(-1),
      ]
    })
    expect(told.flat().map((line) => line?.replace(/[█░]+/, 'bar').replace(/ +/g, ' ').trim())).to.deep.equal([
      'vk 29/239, 10 no contact',
      'vk bar of 239, 29 sent to chat, 10 no contact, 200 pending',
      'vk 210/239, 29 no contact',
      'vk bar of 239, 210 sent to chat, 29 no contact',
    ])
  })
})
