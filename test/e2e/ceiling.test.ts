/** What the SMS of a message come to is never more than it may, by what the SMS centre has taken, whoever is killed meanwhile. */
import { type ChannelList, type HistoryView, type SettingsPatchInput, smsPartsOf } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { spentWords } from '@courier-fleet/words'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']
const window = 20
/** two parts */
const long = 'Занятие переносится. '.repeat(5).trim()

describe('a message with a ceiling', () => {
  let fleet: Fleet
  const lines = createLines()
  const led = ['courier-sms-1', 'courier-sms-2']

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 1, vk: 0, sms: 2 },
      env: { SMS_PER_SECOND: '30', SMS_WINDOW: String(window), LEASE_MS: '1500' },
      settings: (courier) => (led.includes(courier.name) ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  const taken = (text: string) => fleet.sandbox.accepted(text, 'sms')
  const partsTaken = async (text: string) =>
    (await taken(text)).reduce((sum, row) => sum + smsPartsOf(row.text).parts.length, 0)
  /** Of those whom it may have cost something, by their receipts: the parts of each. */
  async function accounted(key: string, partsEach: number): Promise<number> {
    const receipts = await fleet.api.receipts(key)
    const states = ['sent', 'delivered', 'unknown']
    const isPaid = ({ state, reason }: { state: string; reason?: string | undefined }) =>
      states.includes(state) || (state === 'failed' && reason === 'undelivered')
    return receipts.filter(({ channels: { sms } }) => sms && isPaid(sms)).length * partsEach
  }

  it('never comes to more, though a courier is killed with answers outstanding, and what is unknown stays spent', async () => {
    const parts = 91
    await fleet.kill('courier-sms-2', 'SIGTERM')
    // of these it never hears, however late it is killed
    const unanswered = 5
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reply-lost', count: unanswered })
    const key = await fleet.api.send({ to, text: long, channels: ['sms'], ceiling: { parts } })
    await until(
      async () => (await taken(long)).length > 2 * unanswered,
      'answers are outstanding, and others have come',
    )
    await fleet.kill('courier-sms-1')
    await fleet.start('courier-sms-2')
    const { history, settled } = await fleet.api.track(key)
    expect(settled).to.equal(true)
    expect(await partsTaken(long)).to.be.at.most(parts)
    const addresses = (await taken(long)).map(({ address }) => address)
    expect(new Set(addresses).size, 'nobody twice').to.equal(addresses.length)
    expect(history.channels.sms?.unknown).to.be.above(0)
    expect(history.ceiling).to.deep.equal({ parts, spent: parts - 1 })
    expect(await accounted(key, 2)).to.equal(parts - 1)
    expect(history.people?.why?.['over-ceiling']).to.be.above(0)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await fleet.start('courier-sms-1')
  })

  /** Until every process goes by them. */
  async function set(patch: SettingsPatchInput): Promise<void> {
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    const { version } = await client.changeSettings((await client.settings()).version, patch)
    await until(async () => {
      const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
      return settings.version === version && settings.using === settings.of
    }, 'all processes know the settings')
  }

  it('of money is of the prices of the fleet: of whom a step before did not reach, so many as it is enough for', async () => {
    // nobody takes over from a slow one
    await fleet.kill('courier-sms-2', 'SIGTERM')
    await set({ tariffs: { currency: 'RUB', prices: [{ prefix: '+7', perPart: 2_150_000 }] } })
    const text = 'Кому не дошло в Telegram'
    const without = students.filter((each) => !isGood(each, 'telegram') && isGood(each, 'sms'))
    const enoughFor = without.length - 3
    const ceiling = { millionths: 2_150_000 * enoughFor + 1, currency: 'RUB' }
    const steps = [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' as const }]
    const { history } = await fleet.api.deliver({ to, text, steps, ceiling })
    const spent = 2_150_000 * enoughFor
    expect(history.ceiling).to.deep.equal({ ...ceiling, spent })
    expect((await taken(text)).length).to.equal(enoughFor)
    expect(history.steps?.[1]).to.deep.include({ sent: enoughFor, cost: { millionths: spent, currency: 'RUB' } })
    expect(spentWords('en', history.ceiling as NonNullable<HistoryView['ceiling']>)).to.match(/^Spent on SMS: ₽/)
    expect(history.plan?.costAtMost?.millionths).to.be.above(spent)
    await fleet.start('courier-sms-2')
  })

  it('and a budget of the day: twenty messages at once never come to more, though a courier is killed; so it is told before and after', async () => {
    const parts = 60
    await set({ budgets: { day: { admin: { parts } } } })
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    const texts = Array.from({ length: 20 }, (_unused, at) => `Бюджет на день, сообщение ${at + 1}`)
    const group = 'group:ekn-101'
    const before = led.map(lines.sent)
    // neither gets on with the share of the other, so that there are answers outstanding for both
    for (const name of led) lines.hold(name)
    const first = await client.send({ to: [group], text: texts[0] as string, channels: ['sms'] })
    expect(first.plan?.budgets?.[0]).to.deep.include({ of: 'day', parts, left: parts })
    const others = await Promise.all(
      texts.slice(1).map((text) => client.send({ to: [group], text, channels: ['sms'] })),
    )
    const rows = async () => (await Promise.all(texts.map(taken))).flat()
    // a keep-alive is not counted: a dozen messages are far more
    const areAllAtWork = () => led.every((name, index) => lines.sent(name) - (before[index] as number) > 1000)
    await until(areAllAtWork, 'answers are outstanding')
    await fleet.kill('courier-sms-1')
    await lines.release('courier-sms-2')
    const reports = await Promise.all([first, ...others].map(({ key }) => fleet.api.track(key)))
    expect(reports.every(({ settled }) => settled)).to.equal(true)
    const count = (await rows()).length
    expect(count).to.be.at.most(parts)
    const accounted = reports.reduce((sum, { history: { channels } }) => {
      const { sent = 0, delivered = 0, unknown = 0 } = channels.sms ?? {}
      return sum + sent + delivered + unknown
    }, 0)
    expect(accounted).to.be.within(count, parts)
    expect(reports.some(({ history }) => (history.people?.why?.['over-day-budget'] ?? 0) > 0)).to.equal(true)
    const { budgets = [] } = await client.limits()
    expect(budgets[0]?.spent).to.be.within(count, parts)
    await fleet.start('courier-sms-1')
    await set({ budgets: {} })
  })
})
