import { silentLog } from '@courier-fleet/process'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { World } from '../../src/index.ts'
import { startStandIn } from '../../src/sms/index.ts'
import { useCentre } from './centre-fixture.ts'
import { boundClient, type Client } from './client.ts'

const address = '+79160000001'

describe('the SMS centre: a phone that is switched off', () => {
  const fixture = useCentre()
  let client: Client
  beforeEach(async () => {
    client = await boundClient(fixture.endpoint)
  })
  const turn = (state: 'on' | 'off', world = fixture.world) =>
    world.setPhone({ channel: 'sms', address, state: state === 'on' ? 'ok' : 'off' })
  const receiptOf = (of: Client, at = 0) => of.delivered[at]?.short_message?.message as string

  it('is sent its messages all the same; the reports come when it is on again, in order', async () => {
    turn('off')
    const { command_status, message_id: first } = await client.submit({ registered_delivery: 1 })
    const { message_id: second } = await client.submit({ registered_delivery: 1 })
    expect(command_status).to.equal(0)
    expect(fixture.texts()).to.have.length(2)
    // another phone's report comes, and none before it
    await client.submit({ registered_delivery: 1, destination_addr: '79160000002' })
    await until(() => client.delivered.length === 1, 'the report of the other phone')
    expect(receiptOf(client)).to.not.include(`id:${first}`)

    turn('on')
    await until(() => client.delivered.length === 3, 'both reports')
    expect(receiptOf(client, 1)).to.match(new RegExp(`^id:${first} .*stat:DELIVRD`))
    expect(receiptOf(client, 2)).to.match(new RegExp(`^id:${second} .*stat:DELIVRD`))
    turn('off')
    turn('on')
    await client.submit({ registered_delivery: 1 })
    await until(() => client.delivered.length === 4, 'the next one at once')
  })

  it('loses what it was sent when it stays off for too long', async () => {
    const world = new World()
    const smsc = await startStandIn({ world, maxHoldMs: 20, retryMs: 20, log: silentLog })
    const impatient = await boundClient(smsc.endpoint)
    turn('off', world)
    const { message_id: id } = await impatient.submit({ registered_delivery: 1 })
    await until(() => impatient.delivered.length === 1, 'the report')
    expect(receiptOf(impatient)).to.match(new RegExp(`^id:${id} .*dlvrd:000 .*stat:EXPIRED`))
    expect(impatient.delivered[0]).to.include({ message_state: 3 })
    turn('on', world)
    expect(world.chats.sms?.read(address).messages.map(({ state }) => state)).to.deep.equal(['expired'])
    await smsc.stop()
  })
})
