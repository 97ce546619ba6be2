/** Sending again to those who are not known to have it, with a centre that reports: nobody else is written to. */
import type { RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Api, left } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = membersOf('ivt-102')
const known = ['delivered', 'read', 'confirmed']

describe('an audience by what people did', () => {
  let fleet: Fleet
  let staff: Api
  before(async () => {
    fleet = await startFleet()
    staff = await fleet.apiOf('d-01', 'staff')
  })
  after(() => fleet.stop())

  const leftOf = async (api: Api, to: string[]) => {
    const { body } = await api.call<RehearsalView>('POST', '/v1/audiences:resolve', { to })
    return [body.people, body.leftOut]
  }

  it('is those of a message who are not known to have it, and of all messages of so many days', async () => {
    const { history } = await staff.deliver({ to: ['group:ivt-102'], text: 'Сначала по SMS', channels: ['sms'] })
    // who has it is known from the reports of the centre alone
    const rows = await left(staff, history.key, 'sms', ['pending', 'sent'])
    const without = rows
      .filter(({ channels }) => !known.includes(channels.sms?.state ?? ''))
      .map(({ person }) => person)
    expect(without.length).to.be.above(0).and.below(group.length)

    const again = ['group:ivt-102', `unconfirmed:${history.key}`]
    expect(await leftOf(staff, again)).to.deep.equal([without.length, group.length - without.length])
    expect(await leftOf(staff, ['group:ivt-102', 'unread:1d'])).to.deep.equal(await leftOf(staff, again))
    // somebody else has written to nobody; an operator sees what all have sent
    const other = await fleet.apiOf('d-02', 'staff')
    expect(await leftOf(other, ['group:ivt-102', 'unread:1d'])).to.deep.equal([group.length, 0])
    expect(await leftOf(fleet.api, ['group:ivt-102', 'unread:1d'])).to.deep.equal(await leftOf(staff, again))

    const second = await staff.deliver({ to: [`unconfirmed:${history.key}`], text: 'Ещё раз, всеми путями' })
    expect((await staff.receipts(second.history.key)).map(({ person }) => person)).to.deep.equal(without)
    const wanted = group.filter(({ id }) => without.includes(id))
    expect(addressesIn(await fleet.sandbox.accepted('Ещё раз, всеми путями'))).to.deep.equal(goodContacts(wanted))
  })
})
