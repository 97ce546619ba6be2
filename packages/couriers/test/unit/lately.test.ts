/** What a courier says of its provider, by a clock of the test. */
import type { MessageClass } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { createLately } from '../../src/engine/pace/lately.ts'
import { fakeCourier } from '../engine/fake-courier.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
const flood: Outcome = { kind: 'throttled', retryAfterMs: 5_000, scope: 'account', reason: 'VK says 9: Flood control' }

describe('what a provider has answered of late', () => {
  let nowMs: number
  let answer: () => Outcome
  let tookMs: number
  let lately: ReturnType<typeof createLately>
  let told: number
  const begin = 1_788_242_400_000

  function start() {
    nowMs = begin
    tookMs = 40
    told = 0
    answer = () => sent
    lately = createLately({ now: () => nowMs })
    lately.events.on('slow-down', () => (told += 1))
    const courier = lately.listenTo(
      fakeCourier({
        answer: () => {
          nowMs += tookMs
          return answer()
        },
      }),
    )
    const sendOf = async (cls: MessageClass, ...addresses: string[]) => {
      const items = addresses.map((address) => ({ class: cls, address, text: 'x', key: 1n }))
      return courier.send(items, new AbortController().signal)
    }
    return Object.assign((...addresses: string[]) => sendOf('normal', ...addresses), { of: sendOf })
  }

  it('is people a second and how long it took, and forgotten when it is old', async () => {
    const send = start()
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0 })
    for (const ms of [10, 10, 10, 300]) {
      tookMs = ms
      expect((await send('1001')).map(({ kind }) => kind)).to.deep.equal(['sent'])
    }
    await send('1001', '1002')
    const lastMinute = { urgent: 0, normal: 6, bulk: 0 }
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0.6, lastMinute, answerMs: { median: 10, p99: 600 } })
    nowMs += 12_000
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0, lastMinute, answerMs: { median: 10, p99: 600 } })
    nowMs += 60_000
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0 })
  })

  it('is whom it has taken in the last minute by class, and nobody it has refused', async () => {
    const send = start()
    tookMs = 0
    await send.of('bulk', '1001')
    nowMs += 30_000
    await send.of('urgent', '1001', '1002', '1003')
    answer = () => flood
    await send.of('normal', '1001')
    expect(lately.tell().lastMinute).to.deep.equal({ urgent: 3, normal: 0, bulk: 1 })
    nowMs += 30_000
    expect(lately.tell().lastMinute, 'the first is a minute ago').to.deep.equal({ urgent: 3, normal: 0, bulk: 0 })
    nowMs += 30_000
    expect(lately.tell().lastMinute).to.equal(undefined)
  })

  it('counts each of very many, however many it remembers', async () => {
    const send = start()
    tookMs = 0
    for (let at = 0; at < 5_000; at += 1) await send('1001')
    expect(lately.tell().sentPerSecond).to.equal(500)
  })

  it('is that it asks to be sent less: since the first time, until the last, in its own words', async () => {
    const send = start()
    tookMs = 0
    answer = () => flood
    await send('1001')
    nowMs += 9_000
    await send('1001')
    const slowDown = { since: begin, until: begin + 14_000, why: 'VK says 9: Flood control' }
    expect([lately.tell().slowDown, told]).to.deep.equal([slowDown, 1])
    nowMs = slowDown.until + 10_001
    expect(lately.tell().slowDown, 'it has stopped asking').to.equal(undefined)
    await send('1001')
    expect([lately.tell().slowDown?.since, told]).to.deep.equal([nowMs, 2])
  })

  it('says nothing of waits that are its own, or too short to notice', async () => {
    const send = start()
    const waits: Outcome[] = [
      { ...flood, isOwn: true },
      { ...flood, retryAfterMs: 250 },
    ]
    for (const each of waits) {
      answer = () => each
      await send('1001')
    }
    expect([lately.tell().slowDown, told]).to.deep.equal([undefined, 0])
  })
})
