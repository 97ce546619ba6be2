import { expect } from 'chai'
import { placeOf, points } from '../src/points.ts'

const send = points.find(({ name }) => name === 'after send')
if (!send) throw new Error('there is no point after a send')

const pdu = (command: number, body = '') => {
  const octets = Buffer.from(body, 'latin1')
  const header = Buffer.alloc(16)
  header.writeUInt32BE(16 + octets.length, 0)
  header.writeUInt32BE(command, 4)
  return Buffer.concat([header, octets])
}
const submitSm = 4
const bindTransceiver = 9
const enquireLink = 0x15
const deliverSmResp = 0x80000005

describe('a point at a provider', () => {
  it('counts the SMS, not the sign-in, the heartbeat or the thanks for a report', () => {
    const { isOne } = placeOf(send, 'sms')
    for (const command of [bindTransceiver, enquireLink, deliverSmResp]) expect(isOne(pdu(command, 'abc'))).equal(false)
    expect(isOne(pdu(submitSm, 'No lecture today.'))).equal(true)
    expect(isOne(Buffer.concat([pdu(enquireLink), pdu(submitSm, 'No lecture today.')]))).equal(true)
  })

  it('survives bytes that are no PDU, or only the beginning of one', () => {
    const { isOne } = placeOf(send, 'sms')
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(40), pdu(submitSm).subarray(0, 7)])
      expect(isOne(bytes)).equal(false)
  })

  it('counts what VK is to execute, not the question who one is', () => {
    const { isOne } = placeOf(send, 'vk')
    expect(isOne(Buffer.from('POST /method/groups.getById HTTP/1.1\r\n'))).equal(false)
    expect(isOne(Buffer.from('POST /method/execute HTTP/1.1\r\n'))).equal(true)
  })

  it('counts calls of URLs', () => {
    expect(placeOf(send, 'http').isOne(Buffer.from('POST /hook HTTP/1.1\r\n'))).equal(true)
    expect(placeOf(send, 'http').isOne(Buffer.from('{"id":1}'))).equal(false)
  })

  it('that follows another request is met only after that', () => {
    const { isOne } = placeOf({ moment: 'after', holds: ['record'], since: ['allow'] })
    expect([isOne(Buffer.from('record')), isOne(Buffer.from('allow')), isOne(Buffer.from('record'))]).eql([
      false,
      false,
      true,
    ])
  })
})
