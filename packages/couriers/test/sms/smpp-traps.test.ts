/** What the `smpp` package leaves to its user; each of these hangs, freezes or lies without the courier's own patch. */

import { openSession } from '@courier-fleet/smpp'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier } from '../../src/courier.ts'
import { createFixture, type Fixture, item, never, phone } from './fixture.ts'
import { accept, type ScriptedSmsc, silence, startScriptedSmsc } from './scripted-smsc.ts'

describe('SMS by SMPP: patches around the library', () => {
  let fixture: Fixture
  let smsc: ScriptedSmsc | undefined
  beforeEach(async () => {
    fixture = await createFixture('SMPP')
  })
  afterEach(async () => {
    await fixture.stop()
    await smsc?.stop()
    smsc = undefined
  })

  const courierOf = async (settings = {}, timing = {}): Promise<Courier> => {
    const courier = fixture.courier(smsc ? { SMS_SMPP_URL: smsc.url, ...settings } : settings, timing)
    await courier.start(never)
    return courier
  }
  const kinds = async (courier: Courier, count = 1, text?: string) =>
    (
      await courier.send(
        Array.from({ length: count }, (_, i) => item(phone(i), text)),
        never,
      )
    ).map(({ kind }) => kind)

  it('never has more submits unanswered than its window holds', async () => {
    let unanswered = 0
    let most = 0
    let first: (() => void)[] = []
    smsc = await startScriptedSmsc((pdu, session) => {
      unanswered += 1
      most = Math.max(most, unanswered)
      const answer = () => {
        unanswered -= 1
        accept(pdu, session)
      }
      const answerSoon = () => void setTimeout(answer, 2)
      if (most < 7) first.push(answerSoon)
      else {
        answerSoon()
        for (const each of first) each()
        first = []
      }
    })
    const courier = await courierOf({ SMS_WINDOW: '7' })
    const [one, two] = await Promise.all([kinds(courier, 40), kinds(courier, 40, 'ж'.repeat(300))])
    expect(new Set([...one, ...two])).to.deep.equal(new Set(['sent']))
    expect(most).to.equal(7)
  })

  it('calls a submit that nobody answers unknown when its time is over, and is not held up by it', async () => {
    smsc = await startScriptedSmsc((pdu, session) => {
      if (pdu.destination_addr !== phone(0).slice(1)) accept(pdu, session)
    })
    const courier = await courierOf({ SMS_WINDOW: '1' })
    const limit = new AbortController()
    const sending = courier.send([item(phone(0))], limit.signal)
    await until(() => smsc?.submitted.length === 1, 'it is on the wire')
    limit.abort()
    expect((await sending)[0]?.kind).to.equal('unknown')
    const [outcome] = await courier.send([item(phone(1))], never)
    expect(outcome?.kind).to.equal('sent')
  })

  it('comes back by itself', async () => {
    smsc = await startScriptedSmsc(accept)
    const courier = await courierOf()
    smsc.sessions[0]?.destroy()
    await until(() => (smsc?.sessions.length ?? 0) > 1 && !courier.readiness.notReady(), 'it has come back')
    expect(await kinds(courier)).to.deep.equal(['sent'])
  })

  it('says at once that it is not connected, instead of waiting for an answer that cannot come', async () => {
    smsc = await startScriptedSmsc(accept)
    const courier = await courierOf({}, { minRetryMs: 600_000 })
    smsc.sessions[0]?.destroy()
    await until(() => courier.readiness.notReady(), 'the connection is closed')
    const startedAt = performance.now()
    const [outcome] = await courier.send([item(phone(1))], never)
    expect(outcome).to.deep.equal({ kind: 'not-sent', why: 'the SMS centre closed the connection' })
    expect(performance.now() - startedAt, 'not as late as an answer may come').to.be.below(10_000)
    expect(smsc.submitted).to.have.length(0)
  })

  it('knows what was never sent, because the connection was just closed, from what is ambiguous', async () => {
    smsc = await startScriptedSmsc(accept)
    const { hostname: host, port } = new URL(smsc.url)
    const session = openSession({
      connect: { host, port: Number(port), tls: false },
      onDeliver: async () => 0,
      answerMs: 20_000,
    })
    expect((await session.request('bind_transceiver', {}, never)).kind).to.equal('response')
    session.end('gone')
    expect((await session.request('submit_sm', { short_message: Buffer.from('a') }, never)).kind).to.equal('not-sent')
    expect(session.ended.aborted).to.equal(false)
  })

  it('drops a connection that carries a broken PDU, with what is unanswered on it', async () => {
    smsc = await startScriptedSmsc((_, session) => {
      if (smsc?.sessions.length === 1) session.socket.write(Buffer.from('ffffffff800000040000000000000001', 'hex'))
    })
    const courier = await courierOf()
    expect(await kinds(courier)).to.deep.equal(['unknown'])
    await until(() => (smsc?.sessions.length ?? 0) > 1, 'it has come back')
  })

  it('drops a connection that goes silent, by enquire_link', async () => {
    smsc = await startScriptedSmsc((_, session) => {
      // a length shorter than itself: the library waits for ever, without an error
      session.socket.write(Buffer.from('00000003', 'hex'))
    })
    await courierOf({}, { keepAliveMs: 30, answerMs: 60 })
    await until(() => (smsc?.sessions.length ?? 0) > 1, 'it has come back')
  })

  it('keeps a quiet line by enquire_link', async () => {
    let enquired = 0
    smsc = await startScriptedSmsc((pdu, session) => {
      enquired += 1
      session.send(pdu.response())
    })
    await courierOf({}, { keepAliveMs: 10 })
    await until(() => enquired >= 3, 'the line was tried three times')
    expect(smsc.sessions).to.have.length(1)
  })

  it('answers the enquire_link of the SMS centre, and takes its unbind', async () => {
    smsc = await startScriptedSmsc(accept)
    await courierOf()
    const [session] = smsc.sessions
    const { smpp } = await import('@courier-fleet/smpp')
    await new Promise<void>((resolve) => session?.send(new smpp.PDU('enquire_link'), () => resolve()))
    session?.send(new smpp.PDU('unbind'))
    await until(() => (smsc?.sessions.length ?? 0) > 1, 'it has come back')
  })

  it('says which coding it used: 0 for GSM 03.38, 8 for UCS-2, never a guess', async () => {
    smsc = await startScriptedSmsc(accept)
    const courier = await courierOf()
    for (const text of ['Hello [€]', 'Привет', 'a'.repeat(200)]) await courier.send([item(phone(1), text)], never)
    expect(smsc.submitted.map((pdu) => pdu.data_coding)).to.deep.equal([0, 8, 0, 0])
    expect(smsc.submitted[0]?.short_message.message).to.equal('Hello [€]')
  })

  it('says what kind of sender it is', async () => {
    smsc = await startScriptedSmsc(accept)
    for (const sender of ['Fleet', '+79160000000', '3377', ''])
      await (await courierOf({ SMS_SENDER: sender })).send([item(phone(1))], never)
    expect(smsc.submitted.map((pdu) => [pdu.source_addr_ton, pdu.source_addr])).to.deep.equal([
      [5, 'Fleet'],
      [1, '79160000000'],
      [0, '3377'],
      [0, ''],
    ])
  })

  it('stops although nobody answers its unbind', async () => {
    smsc = await startScriptedSmsc(silence)
    const courier = await courierOf({}, { unbindMs: 50 })
    const sending = courier.send([item(phone(1))], never)
    await until(() => smsc?.submitted.length === 1, 'the message is on the wire')
    await courier.stop()
    expect((await sending).map(({ kind }) => kind)).to.deep.equal(['unknown'])
  })
})
