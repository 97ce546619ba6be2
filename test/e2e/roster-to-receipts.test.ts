import type { PersonDetails } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { left } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, channels, goodContacts, isGood, membersOf } from './roster.ts'

describe('a message to a group', () => {
  const text = 'Завтра пары в 9:00, аудитория 512. «Не опаздывать» – @{} €'
  const members = membersOf('ivt-102')
  let fleet: Fleet
  let key: string

  before(async () => {
    fleet = await startFleet()
    const report = await fleet.api.deliver({ to: ['group:ivt-102'], text })
    key = report.history.key
    expect(report.ending).to.equal('some')
  })
  after(() => fleet.stop())

  it('reaches exactly the good contacts of its members, each once, word for word', async () => {
    expect(members).to.have.length(27)
    const rows = await fleet.sandbox.accepted()
    expect(addressesIn(rows)).to.deep.equal(goodContacts(members))
    expect(new Set(rows.map((row) => row.text))).to.deep.equal(new Set([text]))
  })

  it('tells person by person what the providers know', async () => {
    const rows = await left(fleet.api, key, 'sms', ['sent'])
    const accepted = new Map(
      (await fleet.sandbox.accepted()).map((row) => [`${row.channel} ${row.address}`, row.providerId]),
    )
    expect(rows.map(({ person }) => person)).to.deep.equal(members.map(({ id }) => id))
    for (const [index, { ordinal, name, channels: receipts }] of rows.entries()) {
      const member = members[index] as (typeof members)[number]
      expect(ordinal).to.equal(index)
      expect(name).to.equal(member.name)
      for (const channel of channels) {
        const address = member.contacts[channel]
        const { state, providerId, reason, detail } = receipts[channel] as NonNullable<(typeof receipts)[string]>
        const who = `${member.id} on ${channel}`
        if (!address) expect(state, who).to.equal('no-contact')
        else if (!isGood(member, channel)) {
          expect(state, who).to.equal('failed')
          expect(reason, who).to.equal('blocked')
          expect(detail, who).to.match(channel === 'telegram' ? /USER_IS_BLOCKED/ : /901/)
        } else {
          expect(state, who).to.equal(channel === 'sms' ? 'delivered' : 'sent')
          expect(providerId, who).to.equal(accepted.get(`${channel} ${address}`))
        }
      }
    }
  })

  it('counts people over all channels: who has it, in whose chat it is, who has not, and who has no contact', async () => {
    const { people } = await fleet.api.history(key)
    const withoutContact = members.filter(({ contacts }) => Object.keys(contacts).length === 0).length
    const delivered = members.filter((member) => isGood(member, 'sms')).length
    const handed = members.filter((member) => channels.some((channel) => isGood(member, channel))).length
    const notDelivered = members.length - handed - withoutContact
    expect(people).to.deep.equal({
      delivered,
      sentToChat: handed - delivered,
      handedOver: 0,
      pending: 0,
      toldByVoice: 0,
      unknown: 0,
      notDelivered,
      withoutContact,
      why: { blocked: notDelivered },
      whyUnknown: {},
    })
    expect(withoutContact).to.be.above(0)
  })

  it('balances its ledger', async () => {
    const { channels: ledger } = await fleet.api.history(key)
    for (const channel of channels) {
      const { state, accepted, ...counts } = ledger[channel] as NonNullable<(typeof ledger)[string]>
      expect(state).to.equal('settled')
      expect(accepted).to.equal(members.length)
      expect(Object.values(counts).reduce((sum, count) => sum + count)).to.equal(members.length)
    }
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('marks the contacts that the providers refused, with their reason, and no others', async () => {
    for (const member of members) {
      const { contacts } = await fleet.api.get<PersonDetails>(`/v1/people/${member.id}`)
      for (const channel of channels) {
        if (!member.contacts[channel]) continue
        const { state, reason } = contacts[channel] as NonNullable<(typeof contacts)[string]>
        expect(state, `${member.id} on ${channel}`).to.equal(isGood(member, channel) ? 'active' : 'blocked')
        if (state === 'blocked') expect(reason).to.match(/USER_IS_BLOCKED|901/)
      }
    }
  })

  it('does not try refused contacts again, even when their provider would take them by now', async () => {
    const blocked = members.flatMap((member) =>
      channels
        .filter((channel) => member.contacts[channel] && !isGood(member, channel))
        .map((channel) => ({ channel, address: member.contacts[channel] as string, state: 'ok' as const })),
    )
    expect(blocked).to.have.length(3)
    await fleet.sandbox.phones(blocked)
    const { history } = await fleet.api.deliver({ to: ['group:ivt-102'], text: 'ещё раз' })
    expect(addressesIn(await fleet.sandbox.accepted('ещё раз'))).to.deep.equal(goodContacts(members))
    const failed = (await fleet.api.receipts(history.key)).flatMap(({ channels: receipts }) =>
      Object.values(receipts).filter(({ state }) => state === 'failed'),
    )
    expect(failed).to.have.length(3)
    for (const { reason } of failed) expect(reason).to.equal('blocked')
  })
})
