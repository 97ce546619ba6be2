import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { useCentre } from './centre-fixture.ts'
import { boundClient, connectClient } from './client.ts'

describe('the SMS centre: binds', () => {
  const fixture = useCentre()

  it('refuses a wrong system id, a wrong password and a second bind', async () => {
    const { port, systemId, password } = fixture.endpoint
    const client = await connectClient(port)
    const bind = (fields: Record<string, string>) => client.request('bind_transceiver', fields)
    expect((await bind({ system_id: 'nobody', password })).command_status).to.equal(0x0f)
    expect((await bind({ system_id: systemId, password: 'wrong' })).command_status).to.equal(0x0e)
    expect((await bind({ system_id: systemId, password })).command_status).to.equal(0)
    expect((await bind({ system_id: systemId, password })).command_status).to.equal(0x05)
  })

  it('takes messages from transmitters and transceivers only', async () => {
    const unbound = await connectClient(fixture.endpoint.port)
    expect((await unbound.submit()).command_status).to.equal(0x04)
    const receiver = await boundClient(fixture.endpoint, 'bind_receiver')
    expect((await receiver.submit()).command_status).to.equal(0x04)
    const transmitter = await boundClient(fixture.endpoint, 'bind_transmitter')
    expect((await transmitter.submit()).command_status).to.equal(0)
    const transceiver = await boundClient(fixture.endpoint)
    expect((await transceiver.submit()).command_status).to.equal(0)
    expect(fixture.world.accepted).to.have.length(2)
  })

  it('serves many binds at once', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => boundClient(fixture.endpoint)))
    const answers = await Promise.all(clients.map((client) => client.submit()))
    expect(new Set(answers.map(({ message_id }) => message_id)).size).to.equal(20)
  })

  it('answers enquire_link, unbinds, and says no to what it does not know', async () => {
    const client = await boundClient(fixture.endpoint)
    expect((await client.request('enquire_link')).command_status).to.equal(0)
    expect((await client.request('query_sm', { message_id: '1' })).command_status).to.equal(0x03)
    expect((await client.request('unbind')).command).to.equal('unbind_resp')
    await client.closed()
  })

  it('drops a client that sends rubbish, and nobody else', async () => {
    const other = await boundClient(fixture.endpoint)
    const client = await connectClient(fixture.endpoint.port)
    client.session.socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    await client.closed()
    expect((await other.submit()).command_status).to.equal(0)
  })

  it('drops a client that has gone mad with the length of a PDU', async () => {
    const client = await connectClient(fixture.endpoint.port)
    // a PDU of 17 octets whose bind_transceiver needs more than that
    client.session.socket.write(Buffer.from('0000001100000009000000000000000141', 'hex'))
    client.session.socket.write(Buffer.from('ffffffff000000090000000000000002', 'hex'))
    await client.closed()
  })

  it('stops with clients bound and answers outstanding', async () => {
    const client = await boundClient(fixture.endpoint)
    fixture.world.addFault({ channel: 'sms', kind: 'hang', count: 1 })
    void client.submit()
    await until(() => fixture.world.faults().length === 0, 'the submit has arrived')
    await fixture.smsc.stop()
    await client.closed()
    await fixture.smsc.stop()
  })
})
