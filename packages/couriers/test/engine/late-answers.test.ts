/** What nobody answered in time is resolved by the answer that comes late, and by the receipt that follows it. */
import { expect } from 'chai'
import type { Courier } from '../../src/courier.ts'
import { createDeliveryReports, type DeliveryReports } from '../../src/engine/delivery-reports.ts'
import { idForms } from '../../src/sms/smpp-receipts.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const late = {
  providerIds: ['ref-1'],
  state: 'sent',
  answered: { providerId: '0080999307', reportId: '80999307' },
} as const
const receipt = { providerIds: idForms('80999307'), state: 'delivered' } as const

describe('engine: an answer that comes late', () => {
  let fixture: Fixture
  let reports: DeliveryReports
  beforeEach(async () => {
    fixture = await createFixture()
    reports = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
  })
  afterEach(() => fixture.stop())

  async function unanswered() {
    const courier = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      window: 2,
      answer: () => ({ kind: 'unknown', why: 'no answer in time', providerId: 'ref-1' }),
    })
    const runner = { ...courier, givesReports: true } satisfies Courier
    await fixture.run(runner)
    const [person = ''] = await fixture.people(1, 'sms')
    const ref = await fixture.put([person])
    await fixture.settled(ref)
    return async () => {
      const [row] = await fixture.receipts(ref)
      const { state, providerId, reason } = row?.channels.sms ?? {}
      const { sent, delivered, unknown } = (await fixture.get(ref)).channels.sms ?? {}
      return { state, providerId, reason, counts: [sent, delivered, unknown] }
    }
  }

  it('makes sent of unknown, and the receipt delivered', async () => {
    const now = await unanswered()
    expect(await now()).to.deep.include({ state: 'unknown', reason: 'no-answer', counts: [0, 0, 1] })
    await reports.receive(late)
    expect(await now()).to.deep.equal({ state: 'sent', providerId: '0080999307', reason: undefined, counts: [1, 0, 0] })
    await reports.receive(receipt)
    expect(await now()).to.deep.include({ state: 'delivered', counts: [0, 1, 0] })
  })

  it('may come after the receipt, before it is known that there was no answer, and twice', async () => {
    await reports.receive(receipt)
    await reports.receive(late)
    const now = await unanswered()
    await reports.receive(late)
    expect(await now()).to.deep.include({ state: 'delivered', counts: [0, 1, 0] })
  })

  it('that refuses makes failed of unknown', async () => {
    const now = await unanswered()
    await reports.receive({ providerIds: ['ref-1'], state: 'failed', reason: 'ESME_RSUBMITFAIL' })
    expect((await now()).state).to.equal('failed')
  })
})
