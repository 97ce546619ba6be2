/** What a courier says of its provider, by a clock of the test. */
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { createLately } from '../../src/lately.ts'
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
    return async (...addresses: string[]) => {
      const items = addresses.map((address) => ({ class: 'normal' as const, address, text: 'x', key: 1n }))
      return courier.send(items, new AbortController().signal)
    }
  }

  it('is people a second and how long it took, and forgotten when it is old', async () => {
    const send = start()
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0 })
    for (const ms of [10, 10, 10, 300]) {
      tookMs = ms
      expect((await send('1001')).map(({ kind }) => kind)).to.deep.equal(['sent'])
    }
    await send('1001', '1002')
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0.6, answerMs: { median: 10, p99: 600 } })
    nowMs += 12_000
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0, answerMs: { median: 10, p99: 600 } })
    nowMs += 60_000
    expect(lately.tell()).to.deep.equal({ sentPerSecond: 0 })
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
