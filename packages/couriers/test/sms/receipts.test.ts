import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { DeliveryReport, Outcome } from '../../src/courier.ts'
import { createFixture, type Fixture, item, never, phone, type TransportName } from './fixture.ts'

const idOf = (outcome: Outcome | undefined) => (outcome?.kind === 'sent' ? outcome.providerId : '')

for (const transport of ['SMPP', 'HTTP'] as const satisfies readonly TransportName[])
  describe(`SMS by ${transport}: delivery receipts`, () => {
    let fixture: Fixture
    beforeEach(async () => {
      fixture = await createFixture(transport)
    })
    afterEach(() => fixture.stop())

    const started = async (onReport?: (receipt: DeliveryReport) => Promise<void>) => {
      const courier = fixture.courier({}, {}, onReport ? { onReport } : {})
      await courier.start(never)
      return courier
    }
    const disorder = (mode: 'early' | 'late' | 'twice' | 'other-id-format' | 'failed' | 'none') =>
      fixture.world.addFault({ channel: 'sms', kind: 'reports', mode, seconds: 0.05, count: 1 })
    const received = (count: number) => until(() => fixture.receipts.length >= count, `${count} receipts came`)

    it('name the message by the id it was sent under', async () => {
      const courier = await started()
      const outcomes = await courier.send([item(phone(1)), item(phone(2), 'ж'.repeat(300))], never)
      await received(2)
      expect(fixture.receipts.map(({ state }) => state)).to.deep.equal(['delivered', 'delivered'])
      expect(new Set(fixture.receipts.map(({ providerIds }) => providerIds[0]))).to.deep.equal(
        new Set(outcomes.map(idOf)),
      )
    })

    it('tell a failure with its reason', async () => {
      const courier = await started()
      disorder('failed')
      await courier.send([item(phone(1))], never)
      await received(1)
      expect(fixture.receipts[0]?.state).to.equal('failed')
      expect(fixture.receipts[0]?.reason).to.include('UNDELIV')
    })

    for (const mode of ['early', 'late', 'twice', 'other-id-format'] as const)
      it(`are passed on when they come ${mode}`, async () => {
        const courier = await started()
        disorder(mode)
        const [outcome] = await courier.send([item(phone(1))], never)
        await received(mode === 'twice' ? 2 : 1)
        for (const receipt of fixture.receipts) {
          expect(receipt.state).to.equal('delivered')
          expect(receipt.providerIds).to.include(idOf(outcome))
        }
      })

    it('come again when they could not be recorded', async () => {
      let attempts = 0
      const courier = await started(async (receipt) => {
        attempts += 1
        if (attempts < 3) throw new Error('Redis is away')
        fixture.receipts.push(receipt)
      })
      await courier.send([item(phone(1))], never)
      await received(1)
      expect(attempts).to.equal(3)
    })

    it('come for a message whose answer was lost', async () => {
      const courier = await started()
      fixture.world.addFault({ channel: 'sms', kind: 'reply-lost', count: 1 })
      const [outcome] = await courier.send([item(phone(1))], never)
      expect(outcome?.kind).to.equal('unknown')
      await received(1)
    })

    it('reach the process that is left', async () => {
      const [first, second] = [await started(), await started()]
      disorder('late')
      const [outcome] = await first.send([item(phone(1))], never)
      await first.stop()
      await received(1)
      expect(fixture.receipts[0]?.providerIds).to.include(idOf(outcome))
      await second.stop()
    })
  })

describe('SMS by SMPP: messages from phones', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture('SMPP')
  })
  afterEach(() => fixture.stop())

  it('are left with the SMS centre, which keeps them for whoever reads them', async () => {
    const courier = fixture.courier()
    await courier.start(never)
    fixture.world.say({ channel: 'sms', address: phone(1), text: 'id:1 stat:DELIVRD' })
    const outcomes = await courier.send([item(phone(1))], never)
    await until(() => fixture.receipts.length === 1, 'the receipt came')
    expect(fixture.receipts[0]?.providerIds).to.include(idOf(outcomes[0]))
    await courier.stop()
    const { boundReader } = await import('./reader.ts')
    const reader = await boundReader(fixture.smsc.endpoint)
    await until(() => reader.texts.length === 1, 'the reader got the text')
    expect(reader.texts).to.deep.equal(['id:1 stat:DELIVRD'])
    reader.stop()
  })
})
