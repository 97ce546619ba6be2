import { expect } from 'chai'
import type { Answer, Submission, Transport } from '../../src/sms/answer.ts'
import { sendMessage } from '../../src/sms/send-message.ts'
import { createFixture, type Fixture, item, never, phone } from './fixture.ts'
import { accept, type Pdu, type ScriptedSmsc, startScriptedSmsc } from './scripted-smsc.ts'

const longText = 'ж'.repeat(67 * 5)

describe('SMS: long messages, throttling and refusals', () => {
  let fixture: Fixture
  let smsc: ScriptedSmsc
  afterEach(async () => {
    await fixture.stop()
    await smsc.stop()
  })

  /** Status codes by part number, each used once; the rest is accepted. */
  const start = async (statuses: Record<number, number[]>) => {
    fixture = await createFixture('SMPP')
    smsc = await startScriptedSmsc((pdu, session) => {
      const status = statuses[partOf(pdu)]?.shift()
      if (status) session.send(pdu.response({ command_status: status }))
      else accept(pdu, session)
    })
    const courier = fixture.courier({ SMS_SMPP_URL: smsc.url })
    await courier.start(never)
    return courier
  }
  const partOf = (pdu: Pdu) => pdu.short_message.udh?.[0]?.[4] ?? 1
  const submittedParts = () => smsc.submitted.map(partOf)

  it('go out in order, under one reference, the last part asking for the receipt', async () => {
    const courier = await start({})
    const [outcome] = await courier.send([item(phone(1), longText)], never)
    expect(submittedParts()).to.deep.equal([1, 2, 3, 4, 5])
    expect(smsc.submitted.map((pdu) => pdu.registered_delivery)).to.deep.equal([0, 0, 0, 0, 1])
    expect(new Set(smsc.submitted.map((pdu) => pdu.short_message.udh?.[0]?.[2])).size).to.equal(1)
    expect(outcome?.kind).to.equal('sent')
  })

  it('keep their reference when they are sent again', async () => {
    const courier = await start({})
    const same = item(phone(1), longText)
    await courier.send([same], never)
    await courier.send([same], never)
    expect(new Set(smsc.submitted.map((pdu) => pdu.short_message.udh?.[0]?.[2])).size).to.equal(1)
  })

  it('put off by the first part leave nothing behind', async () => {
    for (const status of [0x58, 0x14]) {
      const courier = await start({ 1: [status] })
      const [outcome] = await courier.send([item(phone(1), longText)], never)
      expect(outcome).to.include({ kind: 'throttled', scope: 'account' })
      expect(submittedParts()).to.deep.equal([1])
      if (status === 0x58) {
        await fixture.stop()
        await smsc.stop()
      }
    }
  })

  it('throttled half-way send that one part again, and only that', async () => {
    const courier = await start({ 3: [0x58], 4: [0x14] })
    const [outcome] = await courier.send([item(phone(1), longText)], never)
    expect(outcome?.kind).to.equal('sent')
    expect(submittedParts().toSorted()).to.deep.equal([1, 2, 3, 3, 4, 4, 5])
  })

  it('refused half-way are rejected, their last part is never sent, and it is said that some were taken', async () => {
    const courier = await start({ 3: [0x45] })
    const [outcome] = await courier.send([item(phone(1), longText)], never)
    expect(outcome).to.deep.equal({
      kind: 'rejected',
      class: 'refused',
      detail: 'ESME_RSUBMITFAIL: the SMS centre refused it, in one of 5 parts',
      isPartlyTaken: true,
    })
    expect(submittedParts()).not.to.include(5)
  })

  it('refused with their first part are paid for in no part', async () => {
    const courier = await start({ 1: [0x45] })
    const [outcome] = await courier.send([item(phone(1), longText)], never)
    expect(outcome).to.include({ kind: 'rejected' }).and.not.have.property('isPartlyTaken')
    expect(submittedParts()).to.deep.equal([1])
  })

  it('that a phone cannot put together are refused, never cut', async () => {
    const courier = await start({})
    const [longest, tooLong] = await courier.send(
      [item(phone(1), 'ж'.repeat(67 * 255)), item(phone(2), 'ж'.repeat(67 * 255 + 1))],
      never,
    )
    expect(longest?.kind).to.equal('sent')
    expect(tooLong).to.include({ kind: 'rejected', detail: 'TOO_LONG: 256 SMS parts; a phone takes 255' })
    expect(smsc.submitted).to.have.length(255)
  })

  it('take one unit of the rate for each part', async () => {
    const courier = await start({})
    const taken: number[] = []
    const own = fixture.courier(
      { SMS_SMPP_URL: smsc.url },
      {},
      { pacer: { take: async (units) => void taken.push(units) } },
    )
    await own.start(never)
    await own.send([item(phone(1), longText), item(phone(2), 'short')], never)
    expect(taken).to.deep.equal([5, 1])
    await courier.stop()
  })

  const answers: [number, object][] = [
    [0x0b, { kind: 'rejected', class: 'invalid', detail: 'ESME_RINVDSTADR: the SMS centre refused it' }],
    [0x0a, { kind: 'rejected', class: 'refused', detail: 'ESME_RINVSRCADR: the SMS centre refused it' }],
    [0x08, { kind: 'throttled', scope: 'recipient', reason: 'ESME_RSYSERR' }],
    [0x64, { kind: 'throttled', scope: 'recipient' }],
    [0x0402, { kind: 'rejected', class: 'refused', detail: '0x00000402: the SMS centre refused it' }],
  ]
  for (const [status, outcome] of answers)
    it(`understand the answer 0x${status.toString(16)}`, async () => {
      const courier = await start({ 1: [status] })
      const [answer] = await courier.send([item(phone(1))], never)
      expect(answer).to.include(outcome)
      if (status !== 0x0b) expect(answer).not.to.have.property('contact')
    })
})

describe('SMS: what parts come to together', () => {
  const outcomeOf = async (...answers: Answer[]) => {
    const submitted: Submission[] = []
    const transport: Transport = {
      start: async () => {},
      stop: async () => {},
      submit: async (submission) => {
        submitted.push(submission)
        return answers[submitted.length - 1] as Answer
      },
    }
    const limits = { begin: never, end: AbortSignal.abort() }
    const deps = { transport, pacer: { take: async () => {} }, account: 'one' }
    return (await sendMessage(item(phone(1), 'ж'.repeat(67 * answers.length)), deps, limits)).kind
  }
  const accepted: Answer = { kind: 'accepted', id: '1' }
  const unknown: Answer = { kind: 'unknown', why: 'silence' }
  const throttled: Answer = { kind: 'throttled', retryAfterMs: 1, scope: 'account', reason: 'busy' }
  const rejected: Answer = { kind: 'rejected', class: 'refused', detail: 'X: no' }

  it('sent only when every part is accepted', async () => {
    expect(await outcomeOf(accepted, accepted, accepted, accepted)).to.equal('sent')
    expect(await outcomeOf(accepted, accepted, unknown, accepted)).to.equal('unknown')
    expect(await outcomeOf(accepted, accepted, accepted, unknown)).to.equal('unknown')
  })

  it('put off when that much is certain, rejected when it can never be complete, unknown otherwise', async () => {
    expect(await outcomeOf(accepted, accepted, throttled, accepted)).to.equal('throttled')
    expect(await outcomeOf(accepted, accepted, accepted, throttled)).to.equal('throttled')
    expect(await outcomeOf(accepted, unknown, rejected, accepted)).to.equal('rejected')
    expect(await outcomeOf(accepted, unknown, throttled, accepted)).to.equal('unknown')
  })
})
