import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { DeliveryReport, Outcome } from '../../src/courier.ts'
import { createStage, item, never, phone, type Stage, type TransportName } from './stage.ts'

const idOf = (outcome: Outcome | undefined) => (outcome?.kind === 'sent' ? outcome.providerId : '')

for (const transport of ['SMPP', 'HTTP'] as const satisfies readonly TransportName[])
  describe(`SMS by ${transport}: delivery receipts`, () => {
    let stage: Stage
    beforeEach(async () => {
      stage = await createStage(transport)
    })
    afterEach(() => stage.stop())

    const started = async (onReport?: (receipt: DeliveryReport) => Promise<void>) => {
      const courier = stage.courier({}, {}, onReport ? { onReport } : {})
      await courier.start(never)
      return courier
    }
    const disorder = (mode: 'early' | 'late' | 'twice' | 'other-id-format' | 'failed' | 'none') =>
      stage.world.addFault({ channel: 'sms', kind: 'reports', mode, seconds: 0.05, count: 1 })
    const received = (count: number) => until(() => stage.receipts.length >= count, `${count} receipts came`)

    it('name the message by the id it was sent under', async () => {
      const courier = await started()
      const outcomes = await courier.send([item(phone(1)), item(phone(2), 'ж'.repeat(300))], never)
      await received(2)
      expect(stage.receipts.map(({ state }) => state)).to.deep.equal(['delivered', 'delivered'])
      expect(new Set(stage.receipts.map(({ providerIds }) => providerIds[0]))).to.deep.equal(
        new Set(outcomes.map(idOf)),
      )
    })

    it('tell a failure with its reason', async () => {
      const courier = await started()
      disorder('failed')
      await courier.send([item(phone(1))], never)
      await received(1)
      expect(stage.receipts[0]?.state).to.equal('failed')
      expect(stage.receipts[0]?.reason).to.include('UNDELIV')
    })

    for (const mode of ['early', 'late', 'twice', 'other-id-format'] as const)
      it(`are passed on when they come ${mode}`, async () => {
        const courier = await started()
        disorder(mode)
        const [outcome] = await courier.send([item(phone(1))], never)
        await received(mode === 'twice' ? 2 : 1)
        for (const receipt of stage.receipts) {
          expect(receipt.state).to.equal('delivered')
          expect(receipt.providerIds).to.include(idOf(outcome))
        }
      })

    it('come again when they could not be recorded', async () => {
      let attempts = 0
      const courier = await started(async (receipt) => {
        attempts += 1
        if (attempts < 3) throw new Error('Redis is away')
        stage.receipts.push(receipt)
      })
      await courier.send([item(phone(1))], never)
      await received(1)
      expect(attempts).to.equal(3)
    })

    it('come for a message whose answer was lost', async () => {
      const courier = await started()
      stage.world.addFault({ channel: 'sms', kind: 'reply-lost', count: 1 })
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
      expect(stage.receipts[0]?.providerIds).to.include(idOf(outcome))
      await second.stop()
    })
  })

describe('SMS by SMPP: messages from phones', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage('SMPP')
  })
  afterEach(() => stage.stop())

  it('are left with the SMS centre, which keeps them for whoever reads them', async () => {
    const courier = stage.courier()
    await courier.start(never)
    stage.world.say({ channel: 'sms', address: phone(1), text: 'id:1 stat:DELIVRD' })
    const outcomes = await courier.send([item(phone(1))], never)
    await until(() => stage.receipts.length === 1, 'the receipt came')
    expect(stage.receipts[0]?.providerIds).to.include(idOf(outcomes[0]))
    await courier.stop()
    const { boundReader } = await import('./reader.ts')
    const reader = await boundReader(stage.smsc.endpoint)
    await until(() => reader.texts.length === 1, 'the reader got the text')
    expect(reader.texts).to.deep.equal(['id:1 stat:DELIVRD'])
    reader.stop()
  })
})
