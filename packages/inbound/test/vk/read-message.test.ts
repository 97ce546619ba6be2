import { expect } from 'chai'
import { readMessage, readRead } from '../../src/vk/read-message.ts'

describe('what VK tells of who has read', () => {
  const read = { from_id: 501, peer_id: 501, read_message_id: 42, conversation_message_id: 7 }
  const readOf = (object: unknown, type = 'message_read') => readRead({ type, event_id: 'e', object })

  it('is who, and up to which message', () => {
    expect(readOf(read)).to.deep.equal({ address: '501', upTo: '42' })
  })

  it('is of a person in their own chat alone, and of a message there can be', () => {
    const others: object[] = [
      { from_id: -239_000_001 },
      { from_id: 502 },
      { from_id: 2_000_000_001, peer_id: 2_000_000_001 },
      { from_id: 501, peer_id: 2_000_000_001 },
      { from_id: '501', peer_id: '501' },
      { read_message_id: 0 },
      { read_message_id: -1 },
      { read_message_id: 1.5 },
      { read_message_id: 1e300 },
      { read_message_id: '42' },
      { read_message_id: undefined },
    ]
    for (const other of others) expect(readOf({ ...read, ...other }), JSON.stringify(other)).to.equal(undefined)
    for (const object of [null, undefined, 'read', []]) expect(readOf(object)).to.equal(undefined)
    expect(readOf(read, 'message_event')).to.equal(undefined)
  })
})

describe('what is written to the community by whoever has followed a link with a code', () => {
  const read = (text: string, ref?: string) => {
    const message = { peer_id: 501, from_id: 501, out: 0, text, ...(ref === undefined ? {} : { ref }) }
    return readMessage({ type: 'message_new', event_id: 'e', object: { message } })?.text
  }

  it('is the code, but STOP is STOP', () => {
    expect(read('Начать', '48213977')).to.equal('КОД 48213977')
    expect(read('Привет', 'vk_ads')).to.equal('Привет')
    for (const stop of ['Стоп', 'STOP', 'стоп всё']) expect(read(stop, '48213977'), stop).to.equal(stop)
  })
})
