import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, type Fixture } from './fixture.ts'
import type { Receiver } from './receiver.ts'

const anna = { id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' } as const

describe('a notifier', () => {
  let fixture: Fixture
  let receiver: Receiver
  beforeEach(async () => {
    fixture = await createFixture()
    receiver = await fixture.startReceiver()
  })
  afterEach(async () => {
    const { faults } = receiver
    const wrong = receiver.disorder()
    await fixture.stop()
    expect(faults, 'signatures and ids').to.deep.equal([])
    expect(wrong, 'order').to.deep.equal([])
  })
  const came = (count: number) => until(() => receiver.changes().length >= count, `${count} changes have come`)

  it('tells a new subscriber the whole, then what has changed of it', async () => {
    await fixture.startNotifier()
    await fixture.directory.putPerson(anna)
    const { id } = await fixture.subscribe(receiver, 'person', 'anna')
    await came(1)
    await fixture.directory.putPerson({ ...anna, name: 'Anna B' })
    await came(2)
    const [first, second] = receiver.changes().map(({ body }) => body)
    expect(first).to.deep.include({
      type: 'person.changed',
      subscription: id,
      resource: 'person',
      resource_id: 'anna',
      sequence: 1,
    })
    expect(first?.diff?.name).to.deep.equal({ '+++': 'Anna', '---': null })
    expect(Object.values(first?.diff ?? {}).every((change) => change['---'] === null)).to.equal(true)
    expect(second).to.deep.include({ sequence: 2, diff: { name: { '+++': 'Anna B', '---': 'Anna' } } })
  })
})
