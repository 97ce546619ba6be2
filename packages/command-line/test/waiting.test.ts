/** People who wait for their morning: told at once, sent to after all, or cancelled, by the commands, against couriers that work. */
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

const hourMs = 3_600_000
const clockIn = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })

describe('the commands of fleet, in quiet hours', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  let now: number
  let opensAt: string
  beforeEach(async () => {
    now = Date.now()
    opensAt = new Date(Math.floor((now + 2 * hourMs) / 60_000) * 60_000).toISOString()
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
    await fleet.fixture.directory.linkContact('telegram', 'clara', '1003')
    const quiet = { from: clockIn(now - hourMs), to: clockIn(now + 2 * hourMs) }
    await fleet.service.set({ quiet, quietJitterSeconds: 0 })
    await fleet.fixture.directory.putPerson({
      id: 'clara',
      name: 'Clara',
      role: 'student',
      timeZone: 'Asia/Kamchatka',
      language: 'en',
    })
  })
  afterEach(() => fleet.stop())

  const run = (...args: string[]) => fleet.run(fleetCommand, args)
  const as = (role: 'staff' | 'operator', ...args: string[]) =>
    fleet.run(fleetCommand, args, { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf[role] })
  const toAll = ['--to', 'group:own', '--channels', 'telegram', '--text', 'Good night']
  /** anna waits, boris has blocked us, clara has it. */
  const sent = async () => {
    const { out } = await run('send', ...toAll, '--wait', '0')
    const [, key = ''] = /Accepted (\S+) for 3 people/.exec(out) ?? []
    await until(async () => (await fleet.client.history(key)).waiting?.[0]?.people === 2, 'two of them wait')
    await until(async () => (await fleet.client.history(key)).people?.sentToChat === 1, 'the third has it')
    return { key, out }
  }

  it('say at once who gets it when, as a rehearsal does, and as it comes', async () => {
    const plan = `Of 3 people: 1 now; 2 from ${opensAt} (quiet hours of the recipients).`
    expect((await run('rehearse', ...toAll)).out).to.include(plan)
    const { key, out } = await sent()
    expect(out).to.include(plan)
    expect((await run('status', key)).out).to.include(
      `Of 3 people: 1 sent to the chat; 2 waiting. Not finished yet: Telegram. 2 people wait until ${opensAt}: quiet hours of the recipients.`,
    )
    const receipts = await run('receipts', key)
    expect(receipts.out.split('\n').filter((line) => line.includes(`waits until ${opensAt} or later`))).to.have.length(
      2,
    )
    const csv = await new Response(await fleet.client.receiptsCsv(key)).text()
    expect(
      csv.split('\r\n').filter((line) => line.endsWith(`,telegram,pending,,,,,${opensAt},quiet,,,,,`)),
    ).to.have.length(2)
    const due = new Date(now + hourMs).toISOString()
    const later = await run(
      'send',
      '--to',
      'user:anna',
      '--text',
      'x',
      '--at',
      due,
      '--wait',
      '0',
      '--channels',
      'telegram',
    )
    expect(later.out).to.include(`It goes out to 1 person from ${opensAt} on: quiet hours of the recipients.`)
  })

  it('send to those who wait, each once, for somebody who may', async () => {
    const { key } = await sent()
    expect([(await run('send-now', key)).code, (await run('send-now', key)).err]).to.match(/2,.*quiet hours/)
    const operator = await as('operator', 'send-now', key)
    expect([operator.code, operator.out]).to.match(/^0,On its way to 2 people/)
    const { settled, history } = await fleet.client.track(key, 20)
    expect([settled, history.people?.sentToChat, history.people?.why]).to.deep.equal([true, 2, { blocked: 1 }])
    expect((await as('operator', 'send-now', key)).code).to.equal(1)
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.operator })
    expect((await client.audit()).lines[0]).to.include({
      action: 'message.waiting-sent',
      by: 'operator-1',
      history: key,
    })
  })

  it('cancel it for those who wait, and for nobody else', async () => {
    const { key } = await sent()
    const cancelled = await run('cancel-waiting', key)
    expect([cancelled.code, cancelled.out]).to.deep.equal([
      0,
      'Cancelled for 2 people who waited; the others keep it, or still get it.',
    ])
    const { history, sentence } = await fleet.client.track(key, 20)
    expect([history.state, history.people?.why]).to.deep.equal(['settled', { cancelled: 2 }])
    expect(sentence).to.equal('Of 3 people: 1 sent to the chat; 2 not delivered (2 cancelled).')
    expect((await run('cancel-waiting', key)).code).to.equal(1)
    expect((await run('send-now', '00.trainer-1.aaaaaaaaaaaa')).code).to.equal(2)
  })
})
