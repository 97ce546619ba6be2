/** A phone that is off, and a lost answer, by the command line people start: nothing is said that is not known. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

const program = join(import.meta.dirname, '../../packages/command-line/bin/fleet.mjs')
const phone = '+79005550001'

describe('what is known of a message', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
    await fleet.api.call('PUT', '/v1/people/off', { name: 'Выключенный Фома', role: 'student', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/off', { address: phone })
  })
  after(() => fleet.stop())

  const turn = (state: 'ok' | 'off') => fleet.sandbox.phones([{ channel: 'sms', address: phone, state }])

  async function run(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.apiKey },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    const [code] = await once(child, 'close')
    return { code, out }
  }
  const send = (...args: string[]) => run('send', '--to', 'user:off', '--text', 'Занятия отменены', ...args)
  const keyIn = (out: string) => /^Accepted (\S+) /.exec(out)?.[1] as string

  it('of a phone that is off: taken by the operator, until that says more', async () => {
    await turn('off')
    const key = keyIn((await send('--until', 'handed-over')).out)
    const { code, out } = await run('watch', key, '--wait', '0.5')
    expect(out)
      .to.contain('Of 1 person: 1 taken by the operator, not confirmed yet.')
      .and.not.match(/got it/)
    expect(code).to.equal(3)
    expect(await fleet.api.track(key, 0)).to.include({ settled: true, ending: 'handed-over' })

    const watched = run('watch', key, '--wait', '60')
    await turn('ok')
    const later = await watched
    expect(later.out).to.contain('Everyone got it: 1 person.')
    expect(later.code).to.equal(0)
  })

  it('of a failure that is reported later: not delivered, and why', async () => {
    await turn('off')
    await fleet.sandbox.fault({ channel: 'sms', addresses: [phone], count: 1, kind: 'reports', mode: 'failed' })
    const { code, out } = await send('--until', 'handed-over')
    expect(code).to.equal(0)
    const watched = run('watch', keyIn(out), '--wait', '60')
    await turn('ok')
    const later = await watched
    expect(later.out).to.contain(
      'Nobody got it. Of 1 person: 1 not delivered (1 taken by the operator, and not delivered).',
    )
    expect(later.code).to.equal(1)
  })

  it('of a lost answer: that it is not known', async () => {
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reply-lost', count: 1 })
    const { code, out } = await send('--wait', '60')
    expect(out)
      .to.contain('It is not known that anybody got it.')
      .and.match(/^Not known whether it arrived:\n.*\(off\)/m)
    expect(code).to.equal(3)
  })
})
