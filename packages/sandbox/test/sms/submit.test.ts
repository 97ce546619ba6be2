import { smpp } from '@courier-fleet/smpp/protocol'
import { expect } from 'chai'
import { useCentre } from './centre-fixture.ts'
import { boundClient, type Client, connectClient } from './client.ts'

describe('the SMS centre: messages by SMPP', () => {
  const fixture = useCentre()
  const ucs2 = (text: string) => smpp.encodings.UCS2.encode(text)
  const part8 = (reference: number, total: number, number: number, octets: Buffer) => ({
    esm_class: 0x40,
    short_message: Buffer.concat([Buffer.from([5, 0, 3, reference, total, number]), octets]),
  })
  let client: Client
  beforeEach(async () => {
    client = await boundClient(fixture.endpoint)
  })

  it('reads GSM 03.38 with its extension table, and UCS-2 beyond the basic plane', async () => {
    const gsm = 'A @£ÄÖñ€[~]{}|^\\'
    await client.submit({ short_message: smpp.encodings.ASCII.encode(gsm) })
    await client.submit({ data_coding: 8, short_message: ucs2('Сбор в 18:00 🎓') })
    await client.submit({ data_coding: 8, short_message: Buffer.alloc(0), message_payload: ucs2('ж'.repeat(200)) })
    expect(fixture.texts()).to.deep.equal([gsm, 'Сбор в 18:00 🎓', 'ж'.repeat(200)])
  })

  it('puts the parts of long messages together, in any order, and keeps messages apart', async () => {
    await client.submit({ data_coding: 8, ...part8(7, 3, 3, ucs2('три')) })
    await client.submit({ data_coding: 8, ...part8(7, 3, 1, ucs2('раз\ud83c')) })
    await client.submit({ data_coding: 8, ...part8(8, 2, 1, ucs2('другое')) })
    await client.submit({ destination_addr: '79160000002', data_coding: 8, ...part8(7, 3, 2, ucs2('чужое')) })
    expect(fixture.texts()).to.deep.equal([])
    const last = await client.submit({ data_coding: 8, ...part8(7, 3, 2, ucs2('\udf93два')) })
    expect(fixture.world.accepted).to.have.length(1)
    expect(fixture.world.accepted[0]).to.include({
      text: 'раз🎓дватри',
      address: '+79160000001',
      providerId: last.message_id,
    })
  })

  it('knows 16 bit references and concatenation by optional parameters', async () => {
    const wide = (number: number, text: string) => ({
      esm_class: 0x40,
      short_message: Buffer.concat([Buffer.from([6, 8, 4, 1, 2, 2, number]), Buffer.from(text)]),
    })
    await client.submit(wide(1, 'one '))
    await client.submit(wide(2, 'two'))
    const sar = (number: number) => ({ sar_msg_ref_num: 9, sar_total_segments: 2, sar_segment_seqnum: number })
    await client.submit({ ...sar(2), short_message: Buffer.from('world') })
    await client.submit({ ...sar(1), short_message: Buffer.from('hello ') })
    expect(fixture.texts()).to.deep.equal(['one two', 'hello world'])
  })

  it('writes numbers with a plus, however they came', async () => {
    for (const destination_addr of ['79160000001', '+79160000001', '0079160000001'])
      await client.submit({ destination_addr })
    expect(new Set(fixture.world.accepted.map(({ address }) => address))).to.deep.equal(new Set(['+79160000001']))
    expect((await client.submit({ destination_addr: 'Anna' })).command_status).to.equal(0x0b)
  })

  it('refuses numbers that are blocked, deactivated or unknown', async () => {
    for (const state of ['blocked', 'deactivated', 'unknown'] as const) {
      fixture.world.setPhone({ channel: 'sms', address: '+79160000001', state })
      expect((await client.submit()).command_status).to.equal(0x0b)
    }
    fixture.world.setPhone({ channel: 'sms', address: '+79160000001', state: 'ok' })
    fixture.world.openPhones = false
    expect((await client.submit()).command_status).to.equal(0)
    expect((await client.submit({ destination_addr: '79160000009' })).command_status).to.equal(0x0b)
  })

  it('throttles above its rate, for all binds together', async () => {
    fixture.world.limits.sms.perSecond = 10
    const other = await boundClient(fixture.endpoint)
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? other : client).submit()))
    const seconds = (performance.now() - begun) / 1000
    const throttled = answers.filter(({ command_status }) => command_status === 0x58).length
    expect(throttled).to.be.within(19 - 10 * seconds, 20)
    expect(fixture.world.accepted).to.have.length(30 - throttled)
  })

  it('throttles a client that has more without an answer than the window holds', async () => {
    fixture.world.limits.sms.window = 5
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.submit()))
    expect(answers.some(({ command_status }) => command_status === 0x58)).to.equal(true)
    for (let i = 0; i < 20; i++) expect((await client.submit()).command_status).to.equal(0)
  })

  describe('on request', () => {
    const fault = (kind: 'throttle' | 'hang' | 'disconnect' | 'reply-lost' | 'reject' | 'refuse-once', more = {}) =>
      fixture.world.addFault({ channel: 'sms', kind, count: 1, ...more })

    it('throttles, refuses with any code, and only whom it should', async () => {
      fault('throttle')
      expect((await client.submit()).command_status).to.equal(0x58)
      fault('reject', { code: '0x0000000B', addresses: ['+79160000002'] })
      expect((await client.submit()).command_status).to.equal(0)
      expect((await client.submit({ destination_addr: '79160000002' })).command_status).to.equal(0x0b)
      fault('reject')
      expect((await client.submit()).command_status).to.equal(0x45)
    })

    it('refuses a text once, and accepts the same text when it comes again', async () => {
      const submit = async (text: string) => (await client.submit({ short_message: Buffer.from(text) })).command_status
      fault('refuse-once', { count: 2 })
      expect(await submit('one')).to.equal(0x0b)
      expect(await submit('one')).to.equal(0)
      expect(await submit('two')).to.equal(0x0b)
      expect(await submit('three')).to.equal(0)
      expect(fixture.world.faults()).to.deep.equal([])
      expect(await submit('two')).to.equal(0)
      expect(fixture.world.accepted.map(({ text }) => text)).to.deep.equal(['one', 'three', 'two'])
    })

    it('hangs: takes it, answers nothing, accepts nothing', async () => {
      fault('hang')
      let answered = false
      void client.submit().then(() => {
        answered = true
      })
      expect((await client.submit()).command_status).to.equal(0)
      expect(answered).to.equal(false)
      expect(fixture.world.accepted).to.have.length(1)
    })

    it('cuts the connection instead of an answer, having accepted the message or not', async () => {
      fault('disconnect')
      void client.submit()
      await client.closed()
      expect(fixture.world.accepted).to.have.length(0)
      const next = await boundClient(fixture.endpoint)
      fault('reply-lost')
      void next.submit()
      await next.closed()
      expect(fixture.world.accepted).to.have.length(1)
    })
  })

  it('does not fall over when a client leaves before its answer', async () => {
    const leaver = await connectClient(fixture.endpoint.port)
    void leaver.request('bind_transceiver', {
      system_id: fixture.endpoint.systemId,
      password: fixture.endpoint.password,
    })
    void leaver.submit()
    leaver.session.destroy()
    await leaver.closed()
    expect((await client.submit()).command_status).to.equal(0)
  })
})
