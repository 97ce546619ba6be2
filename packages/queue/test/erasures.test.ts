/** Erasures that wait for each other: what becomes known of somebody until it is their turn is looked for, too. */
import type { ErasureList } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const phone = '+79005550377'

describe('erasures', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const under = async () => (await fleet.ask<ErasureList>('GET /v1/erasures', { as: 'admin' })).json.erasures.length
  const erase = async (person: string) => {
    const { status } = await fleet.ask(`POST /v1/people/${person}:erase`, { as: 'admin' }, { reason: 'left' })
    expect(status).to.equal(202)
  }

  it('look for an address that was linked after they were asked for', async () => {
    let nowMs = Date.now()
    fleet.clock.now = () => nowMs
    await erase('anna')
    await until(async () => (await fleet.directory.findPerson('anna')) === undefined, 'the first is under way')
    await erase('boris')
    const linked = await fleet.ask('PUT /v1/contacts/sms/boris', { as: 'admin' }, { address: phone })
    expect(linked.status).to.equal(204)
    // what a caller was answered once: it has the address, and no name
    const answer = keys.idempotency('staff-1', 'a-call')
    await fleet.redis.set(answer, JSON.stringify({ answer: { status: 200, body: `{"address":"${phone}"}` } }))
    // so long after each was removed nothing of theirs is under way any more
    await until(async () => {
      nowMs += 20_000
      return (await under()) === 0
    }, 'both are erased')
    expect(await fleet.redis.exists(answer)).to.equal(0)
  })
})
