import { type PduFields, smpp } from '@courier-fleet/smpp'
import { expect } from 'chai'
import { readSms } from '../../src/sms/read-sms.ts'

const { UCS2, ASCII } = smpp.encodings
const octets = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

interface Wire {
  toBuffer(): Buffer
}
/** As it comes off the wire. */
function received(fields: PduFields) {
  const pdu = new smpp.PDU('deliver_sm', {
    source_addr: '79001112233',
    source_addr_ton: 1,
    destination_addr: '3377',
    ...fields,
  })
  const Pdu = smpp.PDU as unknown as new (bytes: Buffer) => typeof pdu
  return readSms(new Pdu((pdu as unknown as Wire).toBuffer()))
}

describe('a text as an SMS centre brings it', () => {
  it('is read in GSM 03.38 with its extension table, in UCS-2 and in Latin-1', () => {
    const gsm = received({ data_coding: 0, short_message: ASCII.encode('a€[b]{c} @£') })
    expect(gsm).to.deep.equal({ from: '+79001112233', to: '3377', text: 'a€[b]{c} @£', part: undefined })
    expect(received({ data_coding: 8, short_message: UCS2.encode('Пара 🎓') }).text).to.equal('Пара 🎓')
    expect(received({ data_coding: 3, short_message: Buffer.from('né', 'latin1') }).text).to.equal('né')
    expect(received({ data_coding: 0, short_message: Buffer.alloc(0) }).text).to.equal('')
  })

  it('is read from message_payload', () => {
    const payload = { data_coding: 8, short_message: Buffer.alloc(0), message_payload: UCS2.encode('длинный') }
    expect(received(payload).text).to.equal('длинный')
  })

  it('is no text when it is binary', () => {
    expect(received({ data_coding: 4, short_message: octets('00ff') }).text).to.equal(undefined)
  })

  it('is a part by a header of 8 or 16 bits, whatever stands beside it, and by optional parameters', () => {
    const part = (header: string) =>
      received({ data_coding: 8, esm_class: 0x40, short_message: Buffer.concat([octets(header), UCS2.encode('да')]) })
    expect(part('05 00 03 07 02 01')).to.deep.include({ text: 'да', part: { reference: '8 7', total: 2, number: 1 } })
    expect(part('06 08 04 01 07 03 03').part).to.deep.equal({ reference: '16 263', total: 3, number: 3 })
    expect(part('0b 05 04 0b84 23f0 00 03 07 02 02').part).to.deep.equal({ reference: '8 7', total: 2, number: 2 })
    for (const wrong of ['05 00 03 07 02 03', '05 00 03 07 02 00', '05 00 03 07 01 01', '00'])
      expect(part(wrong).part, wrong).to.equal(undefined)
    const sar = { sar_msg_ref_num: 9, sar_total_segments: 2, sar_segment_seqnum: 2 }
    expect(received({ ...sar, data_coding: 0, short_message: ASCII.encode('x') }).part).to.deep.equal({
      reference: 'sar 9',
      total: 2,
      number: 2,
    })
  })

  it('comes from a number, with + where its country is certainly in it', () => {
    const from = (source_addr: string, source_addr_ton: number) => received({ source_addr, source_addr_ton }).from
    expect(from('79001112233', 0)).to.equal('+79001112233')
    expect(from('89001112233', 0)).to.equal('89001112233')
    expect(from('89001112233', 1)).to.equal('+89001112233')
    expect(from('+3725551234', 0)).to.equal('+3725551234')
    expect(from('003725551234', 0)).to.equal('+3725551234')
    expect(from('9001112233', 0)).to.equal('9001112233')
    // of China, and no number of the United States
    expect(from('13102345678', 2), 'national, says the centre').to.equal('13102345678')
    expect(from('13102345678', 0)).to.equal('+13102345678')
    for (const [address, type] of [
      ['Bank', 5],
      ['7900111', 5],
      ['3377', 0],
      ['Bank', 0],
      ['', 0],
    ] as const)
      expect(from(address, type), address).to.equal(undefined)
  })
})
