import { announceProcess } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../couriers/src/courier.ts'
import { createDeliveryReports } from '../../couriers/src/engine/delivery-reports.ts'
import { type FakeCourier, fakeCourier } from '../../couriers/test/engine/fake-courier.ts'
import { sendCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'
import { startProxy } from './proxy.ts'

describe('npm run send', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const send = (...args: string[]) => fleet.run(sendCommand, args)

  it('ends with 0 when everyone with a contact got it', async () => {
    await fleet.fixture.directory.putGroup({ id: 'fine', name: 'Fine', owners: ['trainer-1'] })
    await fleet.fixture.directory.addMembers('fine', ['anna', 'clara'])
    const { code, out, err } = await send('--to', 'group:fine', '--text', 'Hello', '--wait', '60')
    expect(out).to.match(/^Accepted \d\d\.trainer-1\.\S+ for 2 people/)
    expect(out).to.contain('Of 2 people: 1 sent to the chat; 1 without a contact.')
    expect(out).to.match(/^telegram +0 +1 +0 +0 +1 +0 +0$/m)
    expect(out).to.contain('Without a contact:\n  Clara, the "third" (clara): no contact')
    expect(err).to.contain('settled')
    expect(code).to.equal(0)
  })

  it('says what its SMS may come to, and what of it was spent', async () => {
    const { out } = await send('--to', 'user:anna', '--text', 'Dear', '--ceiling', '300', '--wait', '60')
    expect(out).to.contain('Spent on SMS: 0 of 300 SMS.')
    const [, key = ''] = /^Accepted (\S+) for/m.exec(out) ?? []
    expect((await fleet.client.history(key)).ceiling).to.deep.equal({ parts: 300, spent: 0 })
    const inMoney = await send('--to', 'user:anna', '--text', 'Dear', '--ceiling', '19.05 RUB', '--wait', '60')
    expect([inMoney.code, inMoney.err]).to.deep.equal([
      2,
      'send: ceiling.currency: no prices of SMS are set (`tariffs`): say it in parts\n',
    ])
    for (const sum of ['0', '1.5', '0.000000RUB', 'RUB', '-3', '20 rub', '1e3']) {
      const { code, err } = await send('--to', 'user:anna', '--text', 'Dear', `--ceiling=${sum}`)
      expect([code, err], sum).to.deep.equal([
        2,
        `send: --ceiling "${sum}" is no sum: write it as 300, which are parts of SMS, or as 200RUB\n`,
      ])
    }
  })

  it('ends with 1 when somebody did not, and says who and why', async () => {
    const { code, out } = await send('--to', 'group:own', '--text', 'Hello', '--wait', '60')
    expect(out).to.match(/^Not delivered:\n {2}.*\(boris\): Telegram: not delivered \(blocked us\)$/m)
    expect(code).to.equal(1)
  })

  /** It was due at this moment at the earliest, and did not start before it was. */
  async function wentOutLater(out: string, earliestMs: number): Promise<void> {
    const [, key = '', due = ''] = /^Accepted (\S+) for 1 person, due (\S+)$/m.exec(out) ?? []
    expect(Date.parse(due)).to.be.at.least(earliestMs)
    expect(Date.parse((await fleet.client.history(key)).startedAt ?? '')).to.be.at.least(Date.parse(due))
  }

  it('sends later, and waits from then on', async () => {
    const begun = Date.now()
    const { code, out } = await send('--to', 'user:anna', '--text', 'Later', '--at', '+1s', '--wait', '60')
    await wentOutLater(out, begun + 1000)
    expect(out).to.contain('Of 1 person: 1 sent to the chat.')
    expect(code).to.equal(0)
  })

  it('foretells no end before it is due, on a terminal nor in a pipe', async () => {
    const couriers = ['telegram', 'vk'].map((channel) =>
      announceProcess(fleet.fixture.redis, { name: `${channel}-9`, role: 'courier', channel }, () => ({
        ready: true,
        pace: { perSecond: 1 },
      })),
    )
    await Promise.all(couriers.map((courier) => courier.refresh()))
    const isKnown = async () => {
      const { plan } = await fleet.client.rehearse({ to: ['user:anna'], text: 'Foretold' })
      return plan?.forecast?.finish !== undefined
    }
    await until(isKnown, 'the service has looked how fast they are')
    for (const isTerminal of [false, true])
      for (const when of [[], ['--in', '20']]) {
        const args = ['--to', 'user:anna', '--text', 'Foretold', ...when, '--wait', '0']
        const { out } = await fleet.run(sendCommand, args, {}, { isTerminal })
        const [, due = ''] = /^Accepted \S+ for 1 person, due (.+)$/m.exec(out) ?? []
        const [, from = '', to = from] = /^Done (?:by|between) (.+?)(?: and (.+))?\.$/m.exec(out) ?? []
        const ofDay = (time: string) => Date.parse(isTerminal ? `${due.slice(0, -time.length)}${time}` : time)
        expect(ofDay(from), out).to.be.at.least(Date.parse(due))
        expect(ofDay(to), out).to.be.within(ofDay(from), ofDay(from) + 120_000)
      }
    await Promise.all(couriers.map((courier) => courier.stop()))
  })

  it('sends in so many seconds, by the clock of the service', async () => {
    const begun = Date.now()
    const { code, out } = await send('--to', 'user:anna', '--text', 'Later', '--in', '1', '--wait', '60')
    await wentOutLater(out, begun + 1000)
    expect(out).to.contain('Of 1 person: 1 sent to the chat.')
    expect(code).to.equal(0)
  })

  for (const at of ['+30d', '+60d'])
    it(`watches what is due after ${at}, which is longer than a timer of Node takes`, async () => {
      const text = `In a long time, ${at}`
      const sending = send('--to', 'user:anna', '--text', text, '--at', at)
      const find = async () => (await fleet.client.histories()).histories.find((each) => each.text === text)
      // whatever keeps it from being accepted is said by the call itself
      const found = await Promise.race([until(find, 'it is accepted'), sending.then(() => undefined)])
      if (found) await fleet.client.cancel(found.key)
      const { code, out, err } = await sending
      expect(out).to.contain('cancelled before it started')
      expect([code, err.split('\n').at(-2)]).to.deep.equal([1, 'cancelled'])
    })

  it('does not wait with --wait 0, and then knows of nobody', async () => {
    const { code, out } = await send('--to', 'user:anna', '--text', 'Later', '--at', '+1h', '--wait', '0')
    expect(out).to.contain('nothing has been sent yet')
    expect(code).to.equal(4)
  })

  it('sends to some channels only', async () => {
    const { out } = await send('--to', 'user:anna', '--text', 'Hi', '--channels', 'vk', '--wait', '60')
    expect(out).to.match(/^vk +0 +1/m)
    expect(out).not.to.match(/^telegram/m)
  })

  it('tells it all as JSON', async () => {
    const { code, out, err } = await send('--to', 'group:own', '--text', 'Hello', '--json')
    const report = JSON.parse(out)
    expect(report).to.include({ settled: true })
    const people = (named: { person: string }[]) => named.map(({ person }) => person)
    expect(people(report.named.notDelivered)).to.deep.equal(['boris'])
    expect(people(report.named.withoutContact)).to.deep.equal(['clara'])
    expect([code, err]).to.deep.equal([1, ''])
  })

  describe('over a line that is cut', () => {
    let proxy: Awaited<ReturnType<typeof startProxy>>
    before(async () => {
      proxy = await startProxy(fleet.apiUrl)
    })
    afterEach(() => proxy.lose(undefined))
    after(() => proxy.stop())
    const sendBehind = (...args: string[]) =>
      fleet.run(sendCommand, args, { FLEET_API_URL: proxy.url, FLEET_API_KEY: fleet.service.keyOf.trainer })
    const sentWith = async (text: string) =>
      (await fleet.client.histories()).histories.filter((each) => each.text === text)

    it('says that it may have been accepted, and how to run it again, which sends nothing twice', async () => {
      for (const said of [[], ['--json']]) {
        const text = `Answer lost ${said}`
        const args = ['--to', 'user:anna', '--text', text, '--at', '+1h', '--wait', '0', ...said]
        proxy.lose(/"key":/)
        const { code, out, err } = await sendBehind(...args, '--expires', '+2h')
        expect([code, out]).to.deep.equal([2, ''])
        const [, again = ''] =
          /^send: http:\S+ does not answer; it may have been accepted: run it again with (.+), and it is not sent twice\n$/.exec(
            err,
          ) ?? []
        expect(again, err).to.match(/^--idempotency-key \S+ --at \S+Z --expires \S+Z$/)
        const [sent, ...more] = await sentWith(text)
        expect(more).to.deep.equal([])
        proxy.lose(undefined)
        const repeated = await sendBehind(...args, ...again.split(' '))
        expect([repeated.code, repeated.err]).to.deep.equal([4, ''])
        expect(repeated.out).to.contain(said.length > 0 ? `"key": "${sent?.key}"` : `Accepted ${sent?.key} for`)
        expect(await sentWith(text)).to.have.length(1)
      }
    })

    it('names what was accepted where it is not heard what became of it, as JSON, too', async () => {
      for (const said of [[], ['--json']]) {
        const text = `Outcome lost ${said}`
        proxy.lose(/"settled":/)
        const { code, err } = await sendBehind(
          '--to',
          'user:anna',
          '--text',
          text,
          '--in',
          '600',
          '--wait',
          '0',
          ...said,
        )
        const [{ key = '' } = {}] = await sentWith(text)
        expect([code, err]).to.deep.equal([
          2,
          `send: ${proxy.url} does not answer; it was accepted as ${key}, and "fleet watch ${key}" says who gets it\n`,
        ])
      }
    })
  })

  describe('to a phone that is off', () => {
    let phone: FakeCourier
    before(async () => {
      const answer = (): Outcome => ({ kind: 'sent', providerId: `sms-${phone.handed.length}` })
      phone = { ...fakeCourier({ channel: 'sms', answer }), givesReports: true }
      await fleet.fixture.run(phone)
      await fleet.fixture.directory.putGroup({ id: 'phones', name: 'Phones', owners: ['trainer-1'] })
      await fleet.fixture.directory.addMembers('phones', ['boris'])
      await fleet.fixture.directory.linkContact('sms', 'boris', '+79000000001')
    })
    const toPhone = (...args: string[]) => send('--to', 'group:phones', '--channels', 'sms', '--text', 'Hello', ...args)
    /** What the SMS centre reports, once the message is with it. */
    async function report(state: 'delivered' | 'failed', handed: number): Promise<void> {
      await until(() => phone.handed.length === handed, 'it was handed over')
      const reports = createDeliveryReports({ redis: fleet.fixture.redis, channel: 'sms' })
      const reason = state === 'failed' ? { reason: 'undelivered' as const } : {}
      await reports.receive({ providerIds: [`sms-${handed}`], state, ...reason })
    }

    it('never ends with 0, and never says that anybody got it', async () => {
      let seconds = 2
      const { code, out, err } = await until(async () => {
        seconds *= 2
        const told = await toPhone('--wait', String(seconds))
        return told.err.includes('settled') && told
      }, 'it has settled while it was waited for')
      expect(out).to.contain('Of 1 person: 1 taken by the operator, not confirmed yet.')
      expect(out)
        .to.match(/^sms +0 +0 +1 +0 +0 +0 +0$/m)
        .and.match(/^Not confirmed yet:\n.*\(boris\): SMS: taken by the operator$/m)
      expect(out).to.not.match(/got it|^Not delivered/m)
      expect(err).to.contain('settled: 1 not confirmed')
      expect(code).to.equal(3)
    })

    it('ends with 0 once it is handed over, where that is all that was asked for', async () => {
      const begun = performance.now()
      const { code } = await toPhone('--until', 'handed-over', '--wait', '60')
      expect(performance.now() - begun).to.be.below(30_000)
      expect(code).to.equal(0)
    })

    it('ends with 0 as soon as the operator confirms it, and with 1 when it says that it failed', async () => {
      const before = phone.handed.length
      const confirmed = toPhone('--wait', '60')
      await report('delivered', before + 1)
      const got = await confirmed
      expect(got.out).to.contain('Everyone got it: 1 person.')
      expect(got.code).to.equal(0)
      const failing = toPhone('--wait', '60')
      await report('failed', before + 2)
      const { code, out } = await failing
      expect(out).to.contain('1 not delivered (1 taken by the operator, and not delivered)')
      expect(code).to.equal(1)
    })
  })

  it('explains itself', async () => {
    const { code, out } = await send('--help')
    expect(out).to.match(/^Usage: npm run send/)
    expect(code).to.equal(0)
  })

  const wrong: [args: string[], says: RegExp][] = [
    [[], /^send: say whom to send to/],
    [['--to', 'group:own'], /^send: say what to send/],
    [['--to', 'group:own', '--text', 'x', '--wiat', '3'], /^send: Unknown option '--wiat'/],
    [['--to', 'group:own', '--text', 'x', '--until', 'read'], /^send: --until is handed-over, delivered, not "read"/],
    [['--to', 'group:own', '--text', 'x', '--wait', 'long'], /^send: --wait takes seconds/],
    [['--to', 'group:none', '--text', 'x'], /^send: to\.0: .*none/],
    [['--to', 'everyone', '--text', 'x'], /^send: to\.0: "everyone" names nobody: write user:<id>/],
    [['--to', 'group:other', '--text', 'x'], /^send: .*group:other/],
    [['--to', 'group:own', '--text', ' '], /^send: text: must not be empty/],
    [
      ['--to', 'group:own', '--text', 'x', '--at', 'tomorrow'],
      /^send: --at takes now, a time from now such as \+20s .*, not "tomorrow"\n$/,
    ],
    [['--to', 'group:own', '--text', 'x', '--in', '5m'], /^send: --in takes seconds, not "5m"/],
    [['--to', 'group:own', '--text', 'x', '--in', '5', '--at', '+5s'], /^send: in: .*leave one of them out/],
    [['--to', 'group:own', '--text', 'x', '--at', '2001-01-01T00:00:00Z'], /^send: at: .*passed/],
  ]
  for (const [args, says] of wrong) {
    it(`says in one line what is wrong with ${args.join(' ') || 'nothing'}`, async () => {
      const { code, out, err } = await send(...args)
      expect(err).to.match(says)
      expect(err.trimEnd()).not.to.contain('\n')
      expect([code, out]).to.deep.equal([2, ''])
    })
  }

  it('says so when there is no fleet, no answer, or no valid key', async () => {
    const args = ['--to', 'group:own', '--text', 'x']
    const attempt = (env: NodeJS.ProcessEnv) => fleet.run(sendCommand, args, env)
    // nothing listens there, and fetch tries it: of others, such as 1, it refuses to
    const away = await attempt({ FLEET_API_URL: 'http://127.0.0.1:2', FLEET_API_KEY: 'cf_x' })
    expect([away.code, away.err]).to.deep.equal([
      2,
      'send: http://127.0.0.1:2 does not answer; is the fleet running? (npm start)\n',
    ])
    const stranger = await attempt({ FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: 'cf_x' })
    expect([stranger.code, stranger.err]).to.match(/2,send: this API key is not known/)
    const misspelt = await attempt({ FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: 'cf_ключ' })
    expect([misspelt.code, misspelt.err]).to.match(/^2,send: FLEET_API_KEY is no API key: .*\n$/)
    expect(misspelt.err, 'nothing that may be secret is shown').not.to.include('ключ')
    const lines: string[] = []
    const err = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream
    expect(await sendCommand(args, { out: () => {}, err, env: {}, fleetFile: '/nowhere/fleet.json' })).to.equal(2)
    expect(lines.join('')).to.match(/^send: no fleet is running here/)
  })
})
