/** People who ask to be put into the list, at the command line. */
import { type Application, keepApplication } from '@courier-fleet/store'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('fleet applications', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
  })
  after(() => fleet.stop())

  const run = (...args: string[]) => {
    const env = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin }
    return fleet.run(fleetCommand, ['applications', ...args], env)
  }
  const applicant = (id: string, name: string, group: string, address: string): Application => ({
    id,
    untilMs: Date.now() + 86_400_000,
    state: 'open',
    applicant: {
      name,
      group,
      wish: 'ИВТ-101',
      language: 'ru',
      channel: 'vk',
      address,
      wording: 'application-1-ru',
      atMs: 1,
    },
  })

  it('lists, accepts and refuses them, and gives the link', async () => {
    expect((await run()).out).to.equal('Nobody asks to be put into the list.')
    await fleet.admin.putGroup('ivt-101', { name: 'ИВТ-101' })
    const [first, second] = ['0000000000a1', '0000000000a2'] as const
    await keepApplication(fleet.service.redis, applicant(first, 'Новиков Пётр', 'ivt-101', '501'))
    await keepApplication(fleet.service.redis, applicant(second, 'Новикова Анна', '', '502'))
    expect((await run()).out).to.match(
      /^id .*\n0{10}a1 +Новиков Пётр +ivt-101 +vk +501 .*\n0{10}a2 +Новикова Анна +“ИВТ-101” +vk +502 /m,
    )
    expect((await run('accept', first)).out).to.equal(`Accepted: a-${first} is in the list now.`)
    expect((await fleet.admin.members('ivt-101')).people).to.deep.equal([`a-${first}`])
    expect(await run('refuse', second)).to.include({ code: 2 })
    expect(await run('refuse')).to.include({ code: 2 })
    expect((await run('refuse', second, '--answer', 'No')).out).to.match(/^Refused/)
    expect((await run('accept', second)).err).to.match(/^applications: there is no application/)
    expect((await run()).out).to.equal('Nobody asks to be put into the list.')
    expect((await run('link', 'ivt-101', '--days', '3')).out).to.match(/^http\S+\/a\/ivt-101\.\S+\nGood until \d{4}-/)
  })
})
