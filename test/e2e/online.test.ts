/** What waits until somebody is online, in a whole fleet of processes: a portal says who is, by a key that may say nothing else. */
import type { MessageInput } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Api, ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, isGood, membersOf, type Student } from './roster.ts'

const channels = ['telegram', 'sms'] as const
const group = membersOf('ivt-101').filter((student) => channels.every((channel) => isGood(student, channel)))
const [anna, boris] = group as [Student, Student]
const addressesOf = ({ contacts }: Student) => [`sms ${contacts.sms}`, `telegram ${contacts.telegram}`]

describe('messages that wait until somebody is online', () => {
  let fleet: Fleet
  let portal: Api
  const lines = createLines()

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 0, sms: 1 },
      env: { LEASE_MS: '1500' },
      settings: (courier) => (courier.name === 'courier-telegram-1' ? lines.lead(courier) : {}),
    })
    portal = await fleet.apiOf('portal', 'presence')
    // it comes when the other one has been killed: so it is certain who sent what
    await fleet.kill('courier-telegram-2', 'SIGTERM')
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  const waiting = async (key: string) =>
    ((await fleet.api.history(key)).waiting ?? []).map(({ channel, cause, people }) => `${channel} ${cause} ${people}`)
  const waits = ['sms online 1', 'telegram online 1']
  const send = async (text: string, at?: string) => {
    const message: MessageInput = { to: [`user:${anna.id}`], text, channels: [...channels], whenOnline: true }
    return { text, key: await fleet.api.send(at ? { ...message, at } : message) }
  }
  const nobody = 'nobody-knows-them'
  const report = async (...people: string[]) => {
    const { status, body } = await portal.call('POST', '/v1/people:online', { people })
    const known = people.filter((person) => person !== nobody).length
    const unknown = known < people.length ? { unknown: [nobody] } : {}
    expect([status, body]).to.deep.equal([202, { people: known, ...unknown }])
  }
  const took = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))
  const stillWait = async (messages: readonly { key: string }[]) => {
    for (const { key } of messages) expect((await waiting(key)).sort()).to.deep.equal(waits)
  }

  /** From now on a report calls somebody so long after the one before. */
  async function reportsCallEvery(onlineIntervalSeconds: number): Promise<void> {
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    const { version } = await client.settings()
    await client.changeSettings(version, { onlineIntervalSeconds })
    await until(async () => {
      const { settings } = await client.channels()
      return settings.using === settings.of
    }, 'all processes know')
  }

  it('go out soonest due first, one a report, and once, though a courier is killed while it sends', async () => {
    await reportsCallEvery(600)
    // accepted first, and due last
    const third = await send('третье', ahead(3_600_000))
    const [first, second] = [await send('первое'), await send('второе')]
    expect((await fleet.api.call('PATCH', `/v1/histories/${third.key}`, { at: 'now' })).status).to.equal(200)
    const all = [first, second, third]
    for (const { key } of all)
      await until(async () => (await waiting(key)).sort().join() === waits.join(), 'they wait on both')
    await report(boris.id, nobody)
    await stillWait(all)

    await report(anna.id)
    await report(anna.id)
    await until(async () => (await took(first.text)).length === 2, 'the first is there')
    await stillWait([second, third])

    await reportsCallEvery(0)
    lines.hold('courier-telegram-1')
    await report(anna.id)
    await until(async () => (await took(second.text)).length === 2, 'the second is there, and Telegram is not heard')
    await fleet.kill('courier-telegram-1')
    await stillWait([third])
    await report(anna.id)
    await fleet.start('courier-telegram-2')

    for (const { key, text } of all) {
      const { settled, history } = await fleet.api.track(key)
      const { telegram, sms } = history.channels
      // the centre may have said already that the SMS has arrived
      const taken = [telegram?.sent, (sms?.sent ?? 0) + (sms?.delivered ?? 0)]
      expect([settled, ...taken], text).to.deep.equal([true, 1, 1])
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    }
    const rows = await fleet.sandbox.accepted()
    expect(addressesIn(rows)).to.deep.equal(all.flatMap(() => addressesOf(anna)).sort())
    const sms = rows.filter(({ channel }) => channel === 'sms').sort((one, other) => one.at - other.at)
    expect(sms.map(({ text }) => text)).to.deep.equal(['первое', 'второе', 'третье'])
    await report(anna.id)
    expect(await fleet.sandbox.accepted()).to.have.length(6)
  })

  it('are told of by nobody but a portal: the key opens nothing else, and a sender may not say so', async () => {
    expect((await portal.call('GET', `/v1/people/${anna.id}`)).status).to.equal(403)
    const trainer = await fleet.apiOf('t-01', 'trainer')
    expect((await trainer.call('POST', '/v1/people:online', { people: [anna.id] })).status).to.equal(403)
  })
})
