import type { HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'

const to = ['group:ivt-101']

describe('watching a message', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  async function* events(key: string, signal: AbortSignal): AsyncGenerator<HistoryView> {
    const headers = { authorization: `Bearer ${fleet.apiKey}`, accept: 'text/event-stream' }
    const response = await fetch(`${fleet.apiUrl}/v1/histories/${key}/events`, { headers, signal })
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/)
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, data] = /^event: history\ndata: (.+)$/.exec(text.slice(0, end)) ?? []
        if (data) yield JSON.parse(data) as HistoryView
        text = text.slice(end + 2)
      }
    }
  }

  it('answers a tracker attached before the message is put', async () => {
    const { key } = (await fleet.api.call<{ key: string }>('POST', '/v1/history-keys')).body
    const tracked = fleet.api.track(key, 60)
    expect((await fleet.api.track(key, 0)).history.state).to.equal('issued')
    await fleet.api.call('PUT', `/v1/histories/${key}`, { to, text: 'до' })
    const report = await tracked
    expect([report.settled, report.silent]).to.deep.equal([true, []])
    expect(report.ending).to.be.oneOf(['everyone', 'handed-over'])
    expect(report.history.state).to.equal('settled')
  })

  it('answers trackers attached after it, many at once, all the same', async () => {
    // else one of them would be answered before a report, and another after it
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'none' })
    const key = await fleet.api.send({ to, text: 'после', at: ahead(300) })
    const reports = await Promise.all(Array.from({ length: 20 }, () => fleet.api.track(key, 60)))
    for (const report of reports) expect(report).to.deep.equal({ ...reports[0], history: report.history })
    expect(reports[0]?.settled).to.equal(true)
    const asked = performance.now()
    expect((await fleet.api.track(key, 60)).settled).to.equal(true)
    expect(performance.now() - asked, 'not when the time is up').to.be.below(30_000)
    await fleet.sandbox.clearFaults()
  })

  it('waits within the call that sends', async () => {
    const { status, body } = await fleet.api.call('POST', '/v1/messages?wait=60s', { to, text: 'сразу' })
    expect([status, body.settled]).to.deep.equal([202, true])
    expect(body.ending).to.be.oneOf(['everyone', 'handed-over'])
  })

  it('tells every step as server-sent events, and goes on until the last report', async () => {
    const key = await fleet.api.send({ to, text: 'по шагам', at: ahead(3_600_000) })
    const seen: HistoryView[] = []
    for await (const view of events(key, AbortSignal.timeout(60_000))) {
      seen.push(view)
      if (seen.length === 1) await fleet.api.call('PATCH', `/v1/histories/${key}`, { at: 'now' })
    }
    const states = seen.map(({ state }) => state)
    expect(states[0]).to.equal('scheduled')
    expect(states.at(-1)).to.equal('settled')
    expect(seen.at(-1)?.people).to.include({ handedOver: 0, pending: 0 })
    const order = ['scheduled', 'running', 'settled']
    expect([...states].sort((a, b) => order.indexOf(a) - order.indexOf(b))).to.deep.equal(states)
  })

  it('names the channel whose courier is away when the time is up, and goes on until it is back', async () => {
    await fleet.kill('courier-sms-1', 'SIGTERM')
    const key = await fleet.api.send({ to, text: 'без смс' })
    await until(async () => {
      const { channels } = await fleet.api.history(key)
      return channels.telegram?.state === 'settled' && channels.vk?.state === 'settled'
    }, 'the others have settled')
    const asked = performance.now()
    const report = await fleet.api.track(key, 1)
    expect(performance.now() - asked).to.be.at.least(950) // and it is answered, though nobody sends SMS
    expect([report.settled, report.silent, report.ending]).to.deep.equal([false, ['sms'], 'handed-over'])
    expect(report.sentence).to.match(/Not finished yet: SMS/)
    expect(report.history.expected.sort()).to.deep.equal(['sms', 'telegram', 'vk'])
    expect(report.history.channels.sms?.state).to.equal('waiting')

    const rest = fleet.api.track(key, 60)
    await fleet.start('courier-sms-1')
    expect((await rest).ending).to.be.oneOf(['everyone', 'handed-over'])
  })
})
