import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { useCentre } from './centre-fixture.ts'
import { boundClient, type Client } from './client.ts'

describe('the SMS centre: reports and incoming messages', () => {
  const fixture = useCentre()
  let client: Client
  beforeEach(async () => {
    client = await boundClient(fixture.endpoint)
  })
  const submit = (by = client) => by.submit({ registered_delivery: 1 })
  const disorder = (mode: 'early' | 'late' | 'twice' | 'other-id-format' | 'failed' | 'none', seconds = 0.05) =>
    fixture.world.addFault({ channel: 'sms', kind: 'reports', mode, seconds })
  const orderOfPdus = () => {
    const order: string[] = []
    client.session.on('pdu', (pdu) => order.push(pdu.command))
    return order
  }
  const arrived = (count: number, by = client) => until(() => by.delivered.length >= count, `${count} reports came`)

  it('reports in the standard words and in optional parameters, after the answer', async () => {
    const order = orderOfPdus()
    const { message_id: id } = await submit()
    await arrived(1)
    expect(order).to.deep.equal(['submit_sm_resp', 'deliver_sm'])
    const [report] = client.delivered
    expect(report).to.include({ source_addr: '79160000001', destination_addr: 'Fleet', esm_class: 4 })
    expect(report).to.include({ receipted_message_id: id, message_state: 2 })
    expect(report?.short_message?.message).to.match(
      new RegExp(`^id:${id} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD err:000 text:`),
    )
  })

  it('reports only what was asked for', async () => {
    await client.submit({ registered_delivery: 0 })
    await client.submit({ registered_delivery: 2 })
    disorder('failed')
    await client.submit({ registered_delivery: 3 })
    const { message_id: id } = await client.submit({ registered_delivery: 2 })
    await arrived(1)
    expect(client.delivered).to.have.length(1)
    expect(client.delivered[0]).to.include({ receipted_message_id: id, message_state: 5 })
    expect(client.delivered[0]?.short_message?.message).to.include('stat:UNDELIV err:001')
  })

  it('reports before the answer', async () => {
    disorder('early')
    const order = orderOfPdus()
    await submit()
    expect(order).to.deep.equal(['deliver_sm', 'submit_sm_resp'])
  })

  it('reports late, twice, with a decimal id, or not at all', async () => {
    disorder('late')
    const before = performance.now()
    await submit()
    await arrived(1)
    expect(performance.now() - before).to.be.at.least(49)
    fixture.world.clearFaults()
    disorder('twice')
    await submit()
    await arrived(3)
    fixture.world.clearFaults()
    disorder('other-id-format')
    const { message_id: id } = await submit()
    await arrived(4)
    expect(client.delivered[3]).to.include({ receipted_message_id: BigInt(`0x${id}`).toString() })
    fixture.world.clearFaults()
    disorder('none')
    await submit()
    fixture.world.clearFaults()
    await submit()
    await arrived(5)
    expect(client.delivered).to.have.length(5)
  })

  it('gives them to the bind that submitted, else to any that receives, else keeps them', async () => {
    const transmitter = await boundClient(fixture.endpoint, 'bind_transmitter')
    const other = await boundClient(fixture.endpoint)
    await submit(other)
    await arrived(1, other)
    client.session.destroy()
    other.session.destroy()
    await Promise.all([client.closed(), other.closed()])
    await submit(transmitter)
    const receiver = await boundClient(fixture.endpoint, 'bind_receiver')
    await arrived(1, receiver)
    expect(transmitter.delivered).to.have.length(0)
  })

  it('offers again what was not taken', async () => {
    client.answerWith = 0x64
    await submit()
    await arrived(2)
    client.answerWith = 0
    await submit()
    await arrived(4)
  })

  it('brings what people write, long texts in parts that keep characters whole', async () => {
    const say = (text: string) => fixture.world.say({ channel: 'sms', address: '+79160000001', text })
    say('STOP')
    say('Группе 101: сбор')
    say(`a${'🎓'.repeat(100)}`)
    await arrived(6)
    const [first, second, ...parts] = client.delivered
    expect(first).to.include({ source_addr: '79160000001', data_coding: 0 })
    expect(first?.short_message?.message).to.equal('STOP')
    expect(second?.short_message?.message).to.equal('Группе 101: сбор')
    const texts = parts.map((part) => part.short_message?.message as string)
    for (const text of texts) expect(text).not.to.match(/\p{Surrogate}/u)
    expect(texts.join('')).to.equal(`a${'🎓'.repeat(100)}`)
    expect(parts.map((part) => [...(part.short_message?.udh?.[0] ?? [])].slice(3))).to.deep.equal(
      parts.map((_, index) => [parts.length, index + 1]),
    )
  })
  it('brings a text to the bind that asked for its number, and to another when that refuses it', async () => {
    const inbound = await boundClient(fixture.endpoint, 'bind_transceiver', fixture.endpoint.number)
    fixture.world.say({ channel: 'sms', address: '+79160000001', text: 'СТОП' })
    await arrived(1, inbound)
    expect(client.delivered).to.have.length(0)

    inbound.answerWith = 0x64
    fixture.world.say({ channel: 'sms', address: '+79160000001', text: 'СТАРТ' })
    await arrived(2, inbound)
    await arrived(1)
    expect(client.delivered[0]?.short_message?.message).to.equal('СТАРТ')
  })

  it('keeps a report from a bind for another number, and that from holding up its texts', async () => {
    const inbound = await boundClient(fixture.endpoint, 'bind_transceiver', fixture.endpoint.number)
    const transmitter = await boundClient(fixture.endpoint, 'bind_transmitter')
    client.session.destroy()
    await client.closed()
    await submit(transmitter)
    fixture.world.say({ channel: 'sms', address: '+79160000001', text: 'СТАРТ' })
    await arrived(1, inbound)
    expect(inbound.delivered[0]?.short_message?.message).to.equal('СТАРТ')
    const courier = await boundClient(fixture.endpoint)
    await arrived(1, courier)
    expect(courier.delivered[0]?.esm_class).to.equal(0x04)
    expect(inbound.delivered).to.have.length(1)
  })
})
