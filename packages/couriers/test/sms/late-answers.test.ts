/** Answers of an SMS centre that come late, after its goodbye, or that answer something else. */
import { smpp } from '@courier-fleet/smpp'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier } from '../../src/courier.ts'
import { createFixture, type Fixture, item, never, phone } from './fixture.ts'
import { type Pdu, type ScriptedSmsc, silence, startScriptedSmsc } from './scripted-smsc.ts'

describe('SMS by SMPP: answers', () => {
  let fixture: Fixture
  let smsc: ScriptedSmsc
  beforeEach(async () => {
    fixture = await createFixture('SMPP')
    smsc = await startScriptedSmsc(silence)
  })
  afterEach(async () => {
    await fixture.stop()
    await smsc.stop()
  })

  async function started(timing = {}): Promise<Courier> {
    const courier = fixture.courier({ SMS_SMPP_URL: smsc.url }, timing)
    await courier.start(never)
    return courier
  }
  const items = (count: number) => Array.from({ length: count }, (_unused, index) => item(phone(index)))
  const session = () => smsc.sessions.at(-1) as (typeof smsc.sessions)[number]
  const say = (command: string, fields = {}) => session().send(new smpp.PDU(command, fields))
  const answerAll = () => {
    for (const [index, pdu] of smsc.submitted.entries()) session().send(pdu.response({ message_id: `id-${index}` }))
  }

  it('that are on their way when the centre unbinds are awaited, and nothing more is asked', async () => {
    const courier = await started()
    const said: string[] = []
    session().on('pdu', (pdu) => said.push(pdu.command))
    const sending = courier.send(items(3), never)
    await until(() => smsc.submitted.length === 3, 'all are on the wire')
    say('unbind')
    await until(() => courier.readiness.notReady()?.why === 'the SMS centre has unbound', 'it is not ready')
    expect((await courier.send(items(1), never)).map(({ kind }) => kind)).to.deep.equal(['not-sent'])
    expect(said).not.to.include('unbind_resp')
    answerAll()
    expect(
      (await sending).map((outcome) => (outcome.kind === 'sent' ? outcome.providerId : outcome.kind)),
    ).to.deep.equal(['id-0', 'id-1', 'id-2'])
    await until(() => said.at(-1) === 'unbind_resp', 'it says goodbye')
    await until(() => courier.readiness.notReady() === undefined, 'it is back')
  })

  it('that do not come do not hold up the goodbye for ever', async () => {
    const courier = await started({ answerMs: 500 })
    const said: string[] = []
    session().on('pdu', (pdu) => said.push(pdu.command))
    const sending = courier.send(items(1), never)
    await until(() => smsc.submitted.length === 1, 'it is on the wire')
    say('unbind')
    const [outcome] = await sending
    expect(outcome).to.include({ kind: 'unknown', why: 'the SMS centre has unbound' })
    await until(() => said.includes('unbind_resp'), 'it says goodbye')
    await until(() => courier.readiness.notReady() === undefined, 'it is back')
  })

  const late = async (fields: object) => {
    const courier = await started()
    const limit = new AbortController()
    const sending = courier.send(items(1), limit.signal)
    await until(() => smsc.submitted.length === 1, 'it is on the wire')
    limit.abort()
    const [outcome] = await sending
    if (outcome?.kind !== 'unknown') throw new Error(`expected unknown, got ${outcome?.kind}`)
    const [submitted] = smsc.submitted as [Pdu]
    session().send(submitted.response(fields as never))
    return { outcome, report: await until(() => fixture.receipts[0], 'it is told') }
  }

  it('that come after the limit are told under the reference the message is known by, with the id for its receipt', async () => {
    const { outcome, report } = await late({ message_id: '00C0FFEE' })
    expect(outcome.providerId).to.be.a('string')
    const answered = { providerId: '00C0FFEE', reportId: 'c0ffee' }
    expect(report).to.deep.equal({ providerIds: [outcome.providerId], state: 'sent', answered })
  })

  it('that refuse after the limit say that it failed', async () => {
    const { outcome, report } = await late({ command_status: 0x45 })
    expect(report).to.deep.equal({
      providerIds: [outcome.providerId],
      state: 'failed',
      reason: 'ESME_RSUBMITFAIL: the SMS centre refused it, late',
    })
  })

  it('are not taken for those of another number of the same person', async () => {
    const courier = await started()
    const limit = new AbortController()
    const sent = item(phone(1))
    const sending = courier.send([sent, { ...sent, address: phone(2) }], limit.signal)
    await until(() => smsc.submitted.length === 2, 'both are on the wire')
    limit.abort()
    const ids = (await sending).map((outcome) => outcome.kind === 'unknown' && outcome.providerId)
    expect(ids[0]).to.be.a('string')
    expect(ids[1]).to.be.a('string').and.not.to.equal(ids[0])
  })

  it('to another request under the same number are none', async () => {
    const courier = await started()
    smsc.answer = (pdu) => {
      if (pdu.command !== 'submit_sm') return
      say('enquire_link_resp', { sequence_number: pdu.sequence_number })
      session().send(pdu.response({ message_id: 'the right one' }))
    }
    const [outcome] = await courier.send(items(1), never)
    expect(outcome).to.include({ kind: 'sent', providerId: 'the right one' })
  })

  it('of generic_nack say what was wrong; without a status nobody knows', async () => {
    const courier = await started()
    smsc.answer = (pdu) => say('generic_nack', { sequence_number: pdu.sequence_number, command_status: 0 })
    const [unknown] = await courier.send(items(1), never)
    expect(unknown).to.include({ kind: 'unknown', why: 'the SMS centre answered generic_nack, and no reason' })
    smsc.answer = (pdu) => say('generic_nack', { sequence_number: pdu.sequence_number, command_status: 2 })
    const [refused] = await courier.send(items(1), never)
    expect(refused).to.include({ kind: 'rejected', class: 'refused' })
  })
})
