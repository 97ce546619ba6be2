/** Roles by the commands: made, given to somebody, changed and removed. */
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('the commands of fleet about roles', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
  })
  after(() => fleet.stop())

  const asAdmin = (...args: string[]) =>
    fleet.run(fleetCommand, args, { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin })

  it('make one whole, change what is named alone, give it to somebody, and remove it when nobody has it', async () => {
    const half = await asAdmin('roles', 'put', 'dean', '--rights', 'staff')
    expect([half.code, half.err]).to.satisfy(([code, err]: [number, string]) => code === 2 && err.includes('--quota 3'))
    const put = ['roles', 'put', 'dean', '--ru', 'Декан', '--en', 'Dean', '--rights', 'staff', '--quota', '3']
    expect((await asAdmin(...put, '--dry-run')).out).to.include('dean: would be created.')
    expect((await asAdmin(...put)).out).to.equal('dean: created.')
    const given = await asAdmin('people', 'anna', '--role', 'dean')
    expect(given.out).to.match(/role +dean/)
    expect((await asAdmin('roles', 'put', 'dean', '--quota', 'off')).out).to.equal(
      'dean: updated.\nNote: 1 person has this role. None of their messages waits to be sent.',
    )
    expect((await asAdmin('roles')).out).to.match(/^dean +Dean +Декан +staff +no limit +1$/m)
    expect((await asAdmin('roles')).out, 'who may send nothing').to.match(
      /^student +Student +Студент +student +none +\d+$/m,
    )
    const refused = await asAdmin('roles', 'remove', 'dean')
    expect([refused.code, refused.err]).to.satisfy(
      ([code, err]: [number, string]) => code !== 0 && err.includes('people'),
    )
    const boss = await asAdmin('keys', 'create', '--owner', 'x', '--role', 'boss', '--label', 'x')
    expect(boss.err).to.match(/"boss" is not a role of API keys: student, .*, presence, dean/)
    await asAdmin('people', 'anna', '--role', 'student')
    expect((await asAdmin('roles', 'remove', 'dean')).out).to.equal('Removed dean.')
    expect((await asAdmin('roles')).out).not.to.include('dean')
  })
})
