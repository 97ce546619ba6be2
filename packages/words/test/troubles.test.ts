/** What an operator is told is wrong: the one thing that explains the rest, and only what is known. */
import type { ChannelList, ChannelView, ServiceView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { troubleWords } from '../src/trouble-words.ts'
import { isNobodyLost, type Trouble, troublesOf } from '../src/troubles.ts'

const asOf = '2026-09-01T19:48:10.000Z'
const nowMs = Date.parse(asOf)
const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString()

type Courier = ChannelView['couriers'][number]
const courier = (more: Partial<Courier> = {}): Courier => ({
  name: 'courier-vk-1',
  pid: 1,
  startedAt: at(60_000),
  ready: true,
  silent: false,
  ...more,
})

function channel(couriers: Courier[], more: Partial<ChannelView> = {}, backlog: object = {}): ChannelView {
  return {
    channel: 'vk',
    ready: couriers.some(({ ready }) => ready),
    couriers,
    classes: [],
    ...more,
    backlog: {
      waiting: 0,
      unclaimed: 0,
      oldestUnclaimedMs: 0,
      inProgress: 0,
      abandoned: 0,
      longestAbandonedMs: 0,
      pausedForMs: 0,
      stuck: false,
      ...backlog,
    },
  }
}

function seen(channels: ChannelView[], service: Partial<ServiceView> = {}, overdue: object = {}) {
  const list = {
    overdue: { deliveries: 0, oldestMs: 0, stuck: false, ...overdue },
    moving: [],
    settings: { version: 0, using: 1, of: 1, behind: [] },
    channels,
  } satisfies ChannelList
  const all: ServiceView = {
    asOf,
    alarms: [],
    isWatched: true,
    redis: { usedBytes: 1, maxBytes: 0, isConfirmed: true },
    work: [],
    held: { people: {}, atLeast: false },
    processes: [],
    takenOver: [],
    ...service,
  }
  return { channels: list, service: all }
}

const slowDown = { since: at(10_000), until: at(-5_000), why: 'VK says 9: Flood control' }
const time = (moment: string | number) => new Date(moment).toISOString().slice(11, 16)
const told = (language: 'en' | 'ru', trouble: Trouble) => troubleWords(language, trouble, time)

describe('what is wrong with the fleet', () => {
  it('is nothing where all works, also on a channel that nobody uses any more', () => {
    expect(troublesOf(seen([channel([courier()]), channel([], { channel: 'sms' })]))).to.deep.equal([])
  })

  it('is that a provider asks for less, in its words, who waits, and when that ends if it goes on so', () => {
    const still = channel(
      [courier({ lately: { sentPerSecond: 0, slowDown } })],
      {},
      { waiting: 306, pausedForMs: 2_000 },
    )
    const [halted] = troublesOf(seen([still])) as [Trouble]
    expect(halted).to.deep.equal({
      kind: 'slow-down',
      channel: 'vk',
      waiting: 306,
      since: slowDown.since,
      why: slowDown.why,
      forMs: 5_000,
    })
    expect(told('ru', halted)).to.equal(
      'ВКонтакте просит слать реже с 19:48: «VK says 9: Flood control». Ждут 306 человек. Ждать просят ещё 5 с.',
    )
    const other = courier({
      name: 'courier-vk-2',
      lately: { sentPerSecond: 2, slowDown: { ...slowDown, since: at(90_000) } },
    })
    const moving = channel([courier({ lately: { sentPerSecond: 1 } }), other], {}, { waiting: 306 })
    const [slow] = troublesOf(seen([moving])) as [Trouble]
    expect(slow).to.include({ since: at(90_000), endMs: nowMs + 5_000 + 102_000 })
    expect(told('en', slow)).to.equal(
      'VK asks to be sent less since 19:46: “VK says 9: Flood control”. 306 people wait. As it goes now, done at about 19:49.',
    )
  })

  it('is what explains the rest: an operator’s pause before couriers that are not ready, and that before slowness', () => {
    const away = courier({ ready: false, notReady: { since: at(5_000), why: 'the line is cut' } })
    const kindsOf = (view: ChannelView) => troublesOf(seen([view])).map(({ kind }) => kind)
    const paused = { pausedBy: 'oper', pausedSince: at(1_000) }
    expect(kindsOf(channel([away], { paused }, { stuck: true, reason: 'x' }))).to.deep.equal(['paused'])
    expect(kindsOf(channel([away], {}, { stuck: true, reason: 'x', oldestUnclaimedMs: 41_000 }))).to.deep.equal([
      'stuck',
    ])
    expect(kindsOf(channel([away], {}, { pausedForMs: 1_000 }))).to.deep.equal(['away'])
    expect(kindsOf(channel([], {}, { waiting: 1 }))).to.deep.equal(['away'])
  })

  it('is that nobody who could send gives a sign of life, and no more than that is said', () => {
    const silent = courier({ silent: true, seenAt: at(8_000) })
    const [gone] = troublesOf(seen([channel([silent], {}, { waiting: 3 })])) as [Trouble]
    expect(told('en', gone)).to.equal(
      'No courier of VK has given a sign of life since 19:48: they have ended, or hang. 3 people wait.',
    )
    expect(told('ru', gone)).to.equal(
      'Ни один курьер канала «ВКонтакте» не подаёт знаков с 19:48: они завершились или зависли. Ждут 3 человека.',
    )
    expect(troublesOf(seen([channel([silent, courier()])])), 'another can').to.deep.equal([])
  })

  it('is that a channel in use has lost all its couriers, once the watcher says so', () => {
    const alarms = [{ alarm: 'dead:vk', since: at(1_000), detail: 'vk: no courier of it is ready' }]
    const [gone] = troublesOf(seen([channel([])], { alarms })) as [Trouble]
    expect(told('ru', gone)).to.equal('ВКонтакте не может отправлять: ни один курьер не запущен. Никто не ждёт.')
  })

  it('is that the shards grow and wait for processes, which are named, and nothing once they wait for none', () => {
    const growing = (toRestart: string[]) => troublesOf(seen([], { growth: { shards: 64, toRestart } }))
    const [few] = growing(['queue', 'courier-vk-1']) as [Trouble]
    expect([told('en', few), told('ru', few)]).to.deep.equal([
      'The shards grow to 64. New messages are laid as before until every process looks into all of them; start anew, one after the other: queue, courier-vk-1.',
      'Число шардов растёт до 64. Новые сообщения раскладываются по-прежнему, пока все процессы не смотрят во все шарды; перезапустите по одному: queue, courier-vk-1.',
    ])
    const [many] = growing(['a', 'b', 'c', 'd', 'e', 'f', 'g']) as [Trouble]
    expect(told('en', many)).to.match(/: a, b, c, d, e and 2 more\.$/)
    expect(told('ru', many)).to.match(/: a, b, c, d, e и ещё 2\.$/)
    expect(growing([])).to.deep.equal([])
  })

  it('is that a channel cannot keep up with the deadlines of a type, as the watcher has found it', () => {
    const alarms = [{ alarm: 'behind:vk:news', since: at(1_000), detail: 'x' }]
    const found = troublesOf(seen([channel([courier()])], { alarms }))
    expect(found.map((each) => [told('en', each), told('ru', each)])).to.deep.equal([
      [
        'VK cannot keep up: for messages of type news more people wait than can be sent to by their deadline.',
        'ВКонтакте не успевает: сообщений типа news ждёт больше людей, чем удастся отправить до их срока.',
      ],
    ])
  })

  it('is what concerns everything before what concerns a channel', () => {
    const alarms = [{ alarm: 'imbalance:07.dean.a', since: at(1_000), detail: 'x' }]
    const redis = { usedBytes: 95, maxBytes: 100, isConfirmed: false }
    const found = troublesOf(
      seen([channel([], {}, { waiting: 1 })], { alarms, redis, isWatched: false }, { deliveries: 3, oldestMs: 11_000 }),
    )
    expect(found.map(({ kind }) => kind)).to.deep.equal([
      'imbalance',
      'no-replica',
      'redis-full',
      'late',
      'unwatched',
      'away',
    ])
    for (const each of found)
      for (const language of ['en', 'ru'] as const) expect(told(language, each)).not.to.match(/undefined|NaN/)
  })

  it('nobody is said to be safe where nobody recounts, a count is wrong, or replicas do not have it', () => {
    expect(isNobodyLost(seen([]).service)).to.equal(true)
    expect(isNobodyLost(seen([], { isWatched: false }).service)).to.equal(false)
    const redis = { usedBytes: 1, maxBytes: 0, isConfirmed: false }
    expect(isNobodyLost(seen([], { redis }).service)).to.equal(false)
    const alarms = [{ alarm: 'imbalance:07.dean.a', since: at(1_000), detail: 'x' }]
    expect(isNobodyLost(seen([], { alarms }).service)).to.equal(false)
  })
})
