/** Addresses that are asked right before a message is sent, over real sockets; several processes and channels of one fleet. */
import type { HistoryRef, Recheck } from '@courier-fleet/api-types'
import { keys, writeSettings } from '@courier-fleet/store'
import { redisGate, startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import type { Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture, recheckSecret } from './fixture.ts'
import { type Heard, type Receiver, startReceiver } from './receiver.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
const megabyte = 1_048_576

describe('engine: rechecks', () => {
  let fixture: Fixture
  let receiver: Receiver
  beforeEach(async () => {
    fixture = await createFixture()
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await fixture.stop()
    await receiver.close()
  })

  const asking = (more: Partial<Recheck> = {}): { recheck: Recheck } => ({
    recheck: { url: `${receiver.url}/hook?of=1`, per: 'message', onSilence: 'hold', ...more },
  })
  const recheckOf = async (ref: HistoryRef) => (await fixture.get(ref)).recheck
  const reasonsOf = async (ref: HistoryRef, channel = 'vk') =>
    (await fixture.receipts(ref)).map(({ channels }) => channels[channel]?.reason ?? channels[channel]?.state)
  /** An answer holds no more, neither by the clock of the jobs nor in Redis. */
  function fiveSeconds() {
    let lateMs = 0
    return {
      clock: { now: () => performance.now() + lateMs },
      async pass(ref: HistoryRef) {
        await fixture.redis.del(keys.recheck(ref, 0))
        lateMs += 5_001
      },
    }
  }
  const waitsFor = async (ref: HistoryRef) => ((await fixture.get(ref)).waiting ?? []).map(({ cause }) => cause)

  it('asks with a signed question, and sends after an ok', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const dueMs = Math.ceil(Date.now() / 1000) * 1000 + 1000
    const ref = await fixture.put(await fixture.people(3), { ...asking(), dueMs })
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 3 })
    expect(receiver.heard).to.have.length(1)
    const { path, headers, body } = receiver.heard[0] as Heard
    expect(path).to.equal('/hook?of=1')
    const question = new Webhook(recheckSecret).verify(body, headers as Record<string, string>)
    expect(question).to.include({
      id: headers['webhook-id'],
      type: 'recheck',
      history: `${ref.shard}.dean.${ref.id}`,
      due: new Date(dueMs).toISOString(),
    })
    expect(question).to.have.keys('id', 'type', 'created', 'history', 'due')
    const { asked, ok, error, silent, lastMs } = (await recheckOf(ref)) ?? {}
    expect({ asked, ok, error, silent }).to.deep.equal({ asked: 1, ok: 1, error: 0, silent: 0 })
    expect(lastMs).to.be.within(0, 5000)
  })

  for (const [name, answer] of [
    ['ok and a line end', (response) => response.end('OK\n')],
    [
      'o, then k',
      (response) => {
        response.write('o')
        setTimeout(() => response.end('k'), 50)
      },
    ],
  ] as [string, Parameters<Receiver['answer']>[0]][])
    it(`sends after ${name}`, async () => {
      receiver.answer(answer)
      await fixture.run(fakeCourier())
      const ref = await fixture.put(await fixture.people(3), asking())
      expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 3 })
    })

  it('sends nobody what is answered error', async () => {
    receiver.answer((response) => response.end('Error '))
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(3), asking())
    expect((await fixture.settled(ref)).channels.vk).to.include({ suppressed: 3 })
    expect(await reasonsOf(ref)).to.deep.equal(['recheck-said-no', 'recheck-said-no', 'recheck-said-no'])
    expect(courier.handed).to.deep.equal([])
    expect(await recheckOf(ref)).to.include({ asked: 1, ok: 0, error: 1, silent: 0 })
  })

  for (const [name, why, answer] of [
    ['okay', 'it answered 200, but neither ok nor error', (response) => response.end('okay')],
    ['ok with the status 500', 'it answered 500', (response) => response.writeHead(500).end('ok')],
    ['nothing at all', 'no answer within 5000 ms', () => {}],
    [
      'a redirect',
      'it answered 302',
      (response) => response.writeHead(302, { location: `${receiver.url}/ok` }).end('ok'),
    ],
    [
      'two megabytes that begin with ok',
      'it answered 200, and what followed was too long or was cut',
      (response) => response.end(`ok${' '.repeat(2 * megabyte)}`),
    ],
  ] as [string, string, Parameters<Receiver['answer']>[0]][])
    it(`holds everyone while it answers ${name}`, async () => {
      receiver.answer(answer)
      const courier = fakeCourier()
      await fixture.run(courier)
      const ref = await fixture.put(await fixture.people(3), asking())
      await until(async () => (await recheckOf(ref))?.silent === 1, 'the answer is none')
      await until(async () => (await fixture.redis.hget(keys.history(ref), 'vk:open')) === '1', 'all wait')
      const causes = await until(async () => {
        const waiting = await waitsFor(ref)
        return waiting.length === 1 && waiting
      }, 'in one wave')
      expect(causes).to.deep.equal(['recheck'])
      expect(await recheckOf(ref)).to.include({ asked: 1, lastSilence: why })
      expect(courier.handed).to.deep.equal([])
      expect(receiver.heard).to.have.length(1)
    })

  it('holds everyone where the name leads to a private address, and nothing is reached', async () => {
    await fixture.run(fakeCourier(), { lookup: async () => ['10.0.0.7'] })
    const ref = await fixture.put(await fixture.people(1), asking({ url: 'http://hook.example/' }))
    await until(async () => (await recheckOf(ref))?.silent === 1, 'the answer is none')
    expect((await recheckOf(ref))?.lastSilence).to.match(
      /^it may not be called: the name hook\.example leads to an address that is not public/,
    )
    expect(receiver.heard).to.deep.equal([])
  })

  it('leaves a host alone that has failed five times in a row: that is silence, and nothing is asked', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    for (let failures = 1; failures <= 5; failures += 1) {
      const failed = await fixture.put(people, asking())
      await until(async () => (await recheckOf(failed))?.silent === 1, 'it has failed')
    }
    const ref = await fixture.put(people, asking({ url: `${receiver.url}/another` }))
    await until(async () => (await recheckOf(ref))?.silent === 1, 'it is left alone')
    expect((await recheckOf(ref))?.lastSilence).to.equal('it has failed again and again, and is left alone for a while')
    expect(receiver.heard).to.have.length(5)
  })

  it('asks again at the next wave, and goes by what is answered then', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    await fixture.run(fakeCourier())
    const putMs = Date.now()
    const ref = await fixture.put(await fixture.people(3), asking())
    const nextMs = await until(async () => {
      const [wave] = (await fixture.get(ref)).waiting ?? []
      const atMs = Date.parse(wave?.at ?? '')
      return atMs >= putMs + 10_000 && atMs
    }, 'all wait for ten seconds')
    expect(nextMs - Date.now(), 'rounded up to a second').to.be.at.most(11_000)
    receiver.answer((response) => response.end('ok'))
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 3 })
    expect(await recheckOf(ref)).to.include({ asked: 2, ok: 1, silent: 1 })
  })

  it('says of whoever waits when it expires that there was no answer', async () => {
    receiver.answer((response) => response.end('perhaps'))
    await fixture.run(fakeCourier())
    const ref = await fixture.put(await fixture.people(3), { ...asking(), expiresMs: Date.now() + 3_600_000 })
    await until(async () => (await recheckOf(ref))?.silent === 1 && (await waitsFor(ref)).length > 0, 'all wait')
    await fixture.hasExpired(ref)
    await fixture.fallDue(ref)
    expect((await fixture.settled(ref)).channels.vk).to.include({ expired: 3 })
    expect(await reasonsOf(ref)).to.deep.equal(['recheck-silent', 'recheck-silent', 'recheck-silent'])
    expect(receiver.heard, 'of what has expired nothing is asked').to.have.length(1)
  })

  it('sends, or drops, what stays without an answer, where the message says so', async () => {
    receiver.answer((response) => response.end('perhaps'))
    await fixture.run(fakeCourier())
    const people = await fixture.people(3)
    const refs = [
      await fixture.put(people, asking({ onSilence: 'send' })),
      await fixture.put(people, asking({ onSilence: 'drop' })),
    ] as const
    expect((await fixture.settled(refs[0])).channels.vk).to.include({ sent: 3 })
    expect((await fixture.settled(refs[1])).channels.vk).to.include({ suppressed: 3 })
    expect(await reasonsOf(refs[1])).to.deep.equal(['recheck-dropped', 'recheck-dropped', 'recheck-dropped'])
  })

  it('of 2000 batches, on two channels and in four processes, asks once in five seconds', async () => {
    const people = await fixture.people(1000)
    await fixture.people(1000, 'sms')
    const answer = async (): Promise<Outcome> => {
      await new Promise((resolve) => setTimeout(resolve, 25))
      return sent
    }
    const couriers = ['vk', 'vk', 'sms', 'sms'].map((channel) =>
      fakeCourier({ channel, batchSize: 1, concurrency: 3, answer }),
    )
    for (const courier of couriers) await fixture.run(courier)
    const ref = await fixture.put(people, asking())
    await until(async () => (await fixture.get(ref)).state === 'settled', 'all have it')
    expect((await fixture.get(ref)).channels).to.have.nested.property('vk.sent', 1000)
    expect((await fixture.get(ref)).channels).to.have.nested.property('sms.sent', 1000)
    const times = receiver.heard.map(({ atMs }) => atMs)
    expect(times.length).to.be.above(1)
    for (const [index, atMs] of times.slice(1).entries()) expect(atMs - (times[index] as number)).to.be.above(4_990)
    expect((await recheckOf(ref))?.asked).to.equal(times.length)
  })

  it('asks anew for whoever is not marked within five seconds of the answer', async () => {
    /** how often it had been asked when each was handed over */
    const asked: number[] = []
    const passing = fiveSeconds()
    const answer = async (): Promise<Outcome> => {
      asked.push(receiver.heard.length)
      if (asked.length === 4) await passing.pass(ref)
      return sent
    }
    const courier = fakeCourier({ channel: 'sms', batchSize: 10, window: 1, foldsResends: false, answer })
    await fixture.run(courier, { clock: passing.clock })
    const ref = await fixture.put(await fixture.people(6, 'sms'), { ...asking(), dueMs: Date.now() + 3_600_000 })
    await fixture.fallDue(ref)
    expect((await fixture.settled(ref)).channels.sms).to.include({ sent: 6 })
    expect(asked).to.deep.equal([1, 1, 1, 1, 2, 2])
  })

  it('asks anew where the process dies between the answer and the mark', async () => {
    const gate = await redisGate(fixture.url)
    // its answers no longer reach Redis, nor does its mark
    receiver.answer(async (response) => {
      await gate.silence()
      response.end('ok')
    })
    await fixture.run(fakeCourier({ batchSize: 10 }), { url: gate.url, leaseMs: 600 })
    const ref = await fixture.put(await fixture.people(3), asking())
    await until(() => receiver.heard.length === 1, 'it was asked')
    receiver.answer((response) => response.end('error'))
    const second = fakeCourier({ batchSize: 10 })
    await fixture.run(second, { leaseMs: 600 })
    await until(async () => (await fixture.get(ref)).state === 'settled', 'another has taken over')
    expect(receiver.heard).to.have.length(2)
    expect((await fixture.get(ref)).channels.vk).to.include({ suppressed: 3 })
    expect(second.handed).to.deep.equal([])
    await gate.close()
  })

  it('says cancelled of what was cancelled while it was asked, whatever the answer', async () => {
    const answers: (() => void)[] = []
    receiver.answer((response) => answers.push(() => response.end('error')))
    await fixture.run(fakeCourier())
    const ref = await fixture.put(await fixture.people(3), asking())
    await until(() => answers.length === 1, 'it was asked')
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('cancelled')
    answers[0]?.()
    expect((await fixture.settled(ref)).channels.vk).to.include({ cancelled: 3, suppressed: 0 })
    const other = await fixture.put(await fixture.people(3), asking())
    await until(() => answers.length === 2, 'it was asked')
    // as where the queue dies after the first step of a cancel, and has not settled those who are pending
    await fixture.redis.hset(keys.history(other), 'cancelled', Date.now())
    answers[1]?.()
    expect((await fixture.settled(other)).channels.vk).to.include({ cancelled: 3, suppressed: 0 })
  })

  it('per recipient asks about pages of 500, and lets those go alone who are named ok', async () => {
    const people = await fixture.people(1100)
    const wanted = new Set(people.filter((_person, index) => index % 3 === 0))
    receiver.answer((response, { body }) => {
      const { people: asked } = JSON.parse(body) as { people: string[] }
      response.end(JSON.stringify({ ok: asked.filter((person) => wanted.has(person)), error: [people[0]] }))
    })
    const courier = fakeCourier({ batchSize: 100 })
    await fixture.run(courier)
    const ref = await fixture.put(people, asking({ per: 'recipient' }))
    await fixture.settled(ref)
    wanted.delete(people[0] as string)
    const asked = receiver.heard.map(({ body }) => (JSON.parse(body) as { people: string[] }).people)
    // a page may be asked about again: its answer holds for five seconds
    const pages = [...new Set(asked.map((page) => page.join()))].sort().map((page) => page.split(','))
    expect(pages.map(({ length }) => length)).to.deep.equal([500, 500, 100])
    expect(pages.flat()).to.deep.equal(people)
    expect(courier.handed).to.have.length(wanted.size)
    expect((await fixture.get(ref)).channels.vk).to.include({ sent: wanted.size, suppressed: 1100 - wanted.size })
  })

  describe('where a rule counts', () => {
    const news = { id: 'news', number: 2, name: { ru: 'news', en: 'news' }, caps: [{ n: 5, per: 'PT1H' }] }
    const counted = async () => {
      const pages = await fixture.redis.keys('diary:*')
      return (await Promise.all(pages.map((page) => fixture.redis.hlen(page)))).reduce((sum, each) => sum + each, 0)
    }
    beforeEach(() => writeSettings(fixture.redis, { expected: 0, stored: { types: [news] }, by: 'operator-1' }))

    it('counts nobody who waits for an answer', async () => {
      receiver.answer((response) => response.end('perhaps'))
      await fixture.run(fakeCourier())
      const ref = await fixture.put(await fixture.people(3), { ...asking(), rules: { type: 'news' } })
      await until(async () => (await waitsFor(ref)).length === 1, 'all wait')
      expect(await counted()).to.equal(0)
    })

    it('gives back who was counted, and refused by a later answer', async () => {
      const passing = fiveSeconds()
      let before = 0
      const answer = async (): Promise<Outcome> => {
        if (courier.handed.length === 1) before = await counted()
        if (courier.handed.length === 2) {
          receiver.answer((response) => response.end('error'))
          await passing.pass(ref)
        }
        return sent
      }
      const courier = fakeCourier({ channel: 'sms', window: 1, foldsResends: false, answer })
      await fixture.run(courier, { clock: passing.clock })
      const given = { ...asking(), rules: { type: 'news' }, dueMs: Date.now() + 3_600_000 }
      const ref = await fixture.put(await fixture.people(4, 'sms'), given)
      await fixture.fallDue(ref)
      expect((await fixture.settled(ref)).channels.sms).to.include({ sent: 2, suppressed: 2 })
      expect(before).to.equal(4)
      await until(async () => (await counted()) === 2, 'they are given back')
    })
  })

  it('costs a message without one no command and no byte', async () => {
    const asked: string[][] = []
    const monitor = await startMonitor(fixture.redis)
    monitor.on('monitor', (_time: string, args: string[]) => asked.push(args))
    await fixture.run(fakeCourier())
    const ref = await fixture.put(await fixture.people(3))
    await fixture.settled(ref)
    await fixture.redis.echo('over')
    await until(() => asked.some((args) => args.includes('over')), 'the monitor has heard all of it')
    expect(asked.filter((args) => args.some((arg) => /recheck|webhook/.test(arg)))).to.deep.equal([])
    const record = (await fixture.redis.get(keys.record(ref))) ?? ''
    expect(JSON.parse(record.slice(record.indexOf('[')))).to.have.length(4)
    expect(Object.keys(await fixture.redis.hgetall(keys.history(ref))).join()).not.to.contain('recheck')
    monitor.disconnect()
  })
})
