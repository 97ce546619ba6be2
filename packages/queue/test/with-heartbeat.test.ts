import { getDefaultHighWaterMark } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { heartbeatMs, withHeartbeat } from '../src/http/with-heartbeat.ts'

describe('events with a heartbeat', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())

  it('reach a slow reader to the last, though a sign of life was due after that was written', async () => {
    const more = `data: ${'x'.repeat(getDefaultHighWaterMark(false) * 0.6)}\n\n`
    async function* events() {
      yield* [more, more, 'data: the end\n\n']
    }
    const ends: unknown[] = []
    const out = withHeartbeat(events(), (error) => ends.push(error))
    await until(() => out.writableEnded, 'the last is written')
    mock.timers.tick(heartbeatMs)
    expect(await text(out)).to.equal(`${more}${more}data: the end\n\n`)
    expect(ends).to.deep.equal([undefined])
  })

  it('have signs of life between them while there are none', async () => {
    let goOn = () => {}
    const silence = new Promise<void>((resolve) => (goOn = resolve))
    async function* events() {
      yield 'data: one\n\n'
      await silence
      yield 'data: two\n\n'
    }
    const out = withHeartbeat(events(), () => {})
    await until(() => out.readableLength > 0, 'the first is there')
    mock.timers.tick(heartbeatMs)
    goOn()
    expect(await text(out)).to.equal('data: one\n\n: still here\n\ndata: two\n\n')
  })
})
