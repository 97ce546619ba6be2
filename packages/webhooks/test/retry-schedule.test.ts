import { expect } from 'chai'
import { type Answer, nextTryMs, retryAfterMs, retryScale } from '../src/index.ts'

const answered = (status: number, headers: Record<string, string> = {}): Answer => {
  return { kind: 'answer', status, headers, body: '', whole: true, ms: 1 }
}
const timedOut: Answer = { kind: 'no-answer', why: 'timed-out', detail: '', sent: true, ms: 1 }
const nowMs = Date.parse('2026-09-01T10:00:00Z')
const next = (tries: number, answer: Answer, scale = 1) => nextTryMs({ tries, answer, scale, nowMs })

describe('the retry schedule', () => {
  it('is that of standard-webhooks, each pause a fifth longer or shorter', () => {
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400]
    seconds.forEach((pause, index) => {
      const drawn = Array.from({ length: 200 }, () => next(index + 1, answered(500)))
      for (const ms of drawn) expect(ms).to.be.within(pause * 800, pause * 1200 + 1)
      expect(Math.max(...drawn) - Math.min(...drawn), 'drawn').to.be.above(pause * 100)
    })
  })

  it('gives whoever is overloaded a minute at least', () => {
    expect(next(1, timedOut)).to.equal(60_000)
    expect(next(1, answered(429))).to.equal(60_000)
    expect(next(2, timedOut)).to.be.above(60_000)
  })

  it('waits as long as it is asked to, from a second to an hour', () => {
    expect(retryAfterMs(answered(503, { 'retry-after': '120' }), nowMs)).to.equal(120_000)
    expect(retryAfterMs(answered(429, { 'retry-after': '0' }), nowMs)).to.equal(1000)
    expect(retryAfterMs(answered(429, { 'retry-after': '999999' }), nowMs)).to.equal(3_600_000)
    expect(retryAfterMs(answered(503, { 'retry-after': 'Tue, 01 Sep 2026 10:05:00 GMT' }), nowMs)).to.equal(300_000)
    for (const wrong of ['', 'soon', '-5', '1e9'])
      expect(retryAfterMs(answered(503, { 'retry-after': wrong }), nowMs)).to.equal(undefined)
    expect(retryAfterMs(answered(500, { 'retry-after': '120' }), nowMs)).to.equal(undefined)
    expect(retryAfterMs(timedOut, nowMs)).to.equal(undefined)
    expect(next(1, answered(503, { 'retry-after': '1800' }))).to.equal(1_800_000)
  })

  it('is shorter only where the environment says so', () => {
    expect(retryScale({})).to.equal(1)
    expect(retryScale({ HTTP_RETRY_SCALE: '0.001' })).to.equal(0.001)
    expect(next(2, answered(500), 0.001)).to.be.within(240, 361)
  })
})
