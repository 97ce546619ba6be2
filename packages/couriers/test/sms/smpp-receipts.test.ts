import { isDeliveryReport, type Pdu } from '@courier-fleet/smpp'
import { expect } from 'chai'
import fc from 'fast-check'
import { idForms, parseReceipt, reportIdOf } from '../../src/sms/smpp-receipts.ts'

describe('SMPP receipts', () => {
  const pdu = (text: string, more: Partial<Pdu> = {}): Pdu => ({
    command: 'deliver_sm',
    command_status: 0,
    sequence_number: 1,
    esm_class: 4,
    short_message: { message: text },
    isResponse: () => false,
    response: () => pdu(''),
    ...more,
  })
  const text = (id: string, stat: string, err = '000') =>
    `id:${id} sub:001 dlvrd:001 submit date:2611201200 done date:2611201201 stat:${stat} err:${err} text:stat:UNDELIV`

  it('are told from messages', () => {
    expect(isDeliveryReport(pdu(''))).to.equal(true)
    expect(isDeliveryReport(pdu('', { esm_class: 0x44 }))).to.equal(true)
    expect(isDeliveryReport(pdu(text('1', 'DELIVRD'), { esm_class: 0 }))).to.equal(false)
    expect(isDeliveryReport(pdu('', { esm_class: 0x40 }))).to.equal(false)
    expect(isDeliveryReport(pdu('', { esm_class: 0x08 }))).to.equal(false)
    expect(isDeliveryReport(pdu('', { esm_class: 0, receipted_message_id: '1' }))).to.equal(true)
  })

  it('give their state', () => {
    const stateOf = (stat: string) => parseReceipt(pdu(text('1', stat)))?.state
    for (const stat of ['DELIVRD', 'DELIVERED', 'delivered']) expect(stateOf(stat)).to.equal('delivered')
    for (const stat of ['UNDELIVERABLE', 'UNDELIVERED', 'REJECTED']) expect(stateOf(stat)).to.equal('failed')
    for (const stat of ['UNDELIV', 'EXPIRED', 'REJECTD', 'DELETED']) expect(stateOf(stat)).to.equal('failed')
    for (const stat of ['ACCEPTD', 'ACCEPTED', 'ENROUTE', 'UNKNOWN', 'SOMETHING'])
      expect(stateOf(stat)).to.equal(undefined)
    expect(parseReceipt(pdu(text('1', 'EXPIRED', '027')))?.reason).to.equal('EXPIRED, error 027')
    expect(parseReceipt(pdu(text('1', 'DELETED')))?.reason).to.equal('DELETED')
  })

  it('are believed in their optional parameters first, and read in either place', () => {
    const both = parseReceipt(pdu(text('beef', 'ENROUTE'), { receipted_message_id: 'cafe', message_state: 2 }))
    expect(both).to.deep.include({ state: 'delivered' })
    expect(both?.providerIds).to.include.members(['cafe', 'beef'])
    const bare = parseReceipt(pdu('', { receipted_message_id: 'cafe', message_state: 5 }))
    expect(bare).to.deep.equal({ providerIds: ['cafe'], state: 'failed', reason: 'UNDELIV' })
    const payload = pdu('', { message_payload: { message: Buffer.from(text('7f', 'DELIVRD')) } })
    expect(parseReceipt(payload)?.providerIds).to.deep.equal(['7f'])
    expect(parseReceipt(pdu('nonsense'))).to.equal(undefined)
  })

  it('never fail on rubbish', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (rubbish) => void parseReceipt(pdu(`id:${rubbish}`))))
  })

  it('know an id in the other base, in either case, with and without zeros', () => {
    const number = fc.bigInt({ min: 0x1000_0000n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(number, (value) => {
        const hex = value.toString(16)
        const written = [hex, hex.toUpperCase(), hex.padStart(20, '0'), `${value}`, `${value}`.padStart(24, '0')]
        for (const receipted of written)
          for (const answered of written) expect(idForms(receipted)).to.include(reportIdOf(answered))
        expect(idForms(value.toString())[0]).to.equal(value.toString())
      }),
    )
  })

  it('know an id with and without leading zeros, however short, and never confuse the bases of short ones', () => {
    for (const [answered, receipted] of [
      ['0080999307', '80999307'],
      ['80999307', '0080999307'],
      ['0007', '7'],
      ['00AB', 'ab'],
    ] as const)
      expect(idForms(receipted)).to.include(reportIdOf(answered))
    expect(idForms('10')).not.to.include(reportIdOf('16'))
    expect(idForms('16')).not.to.include(reportIdOf('10'))
    expect(reportIdOf('0')).to.equal('0')
  })

  it('keep short and foreign ids as they are', () => {
    expect(idForms('1000')).to.deep.equal(['1000'])
    expect(idForms('5f1c-aa-Zz')).to.deep.equal(['5f1c-aa-Zz'])
  })
})
