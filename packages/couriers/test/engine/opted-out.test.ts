import { expect } from 'chai'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('engine: people who said STOP', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('are not written to, and named with the reason, until they say START', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(2)
    await fixture.directory.setConsent('vk', 'p00000', false)
    // a report that comes late must not undo it
    const refusal = { state: 'blocked', reason: '901: blocked', agoMs: () => 0 } as const
    await fixture.directory.markContact('vk', 'p00000', '1001', refusal)

    const ref = await fixture.put(people)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 1, suppressed: 1, failed: 0, 'no-contact': 0 })
    expect(history.people).to.deep.include({
      sentToChat: 1,
      notDelivered: 1,
      withoutContact: 0,
      why: { 'opted-out': 1 },
    })
    const rows = await fixture.receipts(ref)
    expect(rows[0]?.channels.vk).to.include({ state: 'suppressed', reason: 'opted-out' })
    const recounted = await fixture.histories.recount(ref)
    expect(recounted.every(({ balanced }) => balanced)).to.equal(true)

    await fixture.directory.setConsent('vk', 'p00000', true)
    expect((await fixture.settled(await fixture.put(people))).channels.vk).to.include({ sent: 2, suppressed: 0 })
    expect(courier.handed.map(({ address }) => address)).to.deep.equal(['1002', '1001', '1002'])
  })
})
