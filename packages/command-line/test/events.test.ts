/** `fleet events`, and messages that hang on one, against the real queue over HTTP. */
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('fleet events', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const run = (...args: string[]) => fleet.run(fleetCommand, args)
  const hang = (...offset: string[]) =>
    run('send', '--to', 'user:anna', '--text', 'Exam', '--event', 'exam-5', ...offset, '--wait', '0', '--json')

  it('makes one, hangs messages on it, moves and cancels it with them, and says what became of each', async () => {
    expect((await run('events')).out).to.equal('No events.')
    const made = await run('events', 'put', 'exam-5', '--at', '+1d', '--name', 'Mathematics')
    expect(made.out).to.match(/^exam-5 \(Mathematics\) is at \S+\. Nothing hangs on it\.$/)
    const before = JSON.parse((await hang('--offset', '-3600')).out).history
    await hang('--offset=-7200')
    expect((await run('events')).out).to.match(/^exam-5 +\S+Z +Mathematics$/m)
    const moved = await run('events', 'put', 'exam-5', '--at', '+90m', '--late', 'send')
    expect(moved.out).to.match(/-7200 .* sent at once, for its time has passed$/m)
    expect(moved.out).to.match(new RegExp(`^${before.key} +-3600 +\\S+Z +scheduled +moved$`, 'm'))
    expect((await run('events', 'show', 'exam-5')).out).to.match(/^exam-5 is at/)
    const cancelled = await run('events', 'cancel', 'exam-5')
    expect(cancelled.out).to.match(new RegExp(`^${before.key} .* cancelled: nobody gets it$`, 'm'))
    expect(cancelled.code).to.equal(0)
  })

  const wrong: readonly [string[], RegExp][] = [
    [['events', 'put', 'x'], /^events: say when it is: --at/],
    [['events', 'show'], /^events: say which: show <id>/],
    [['events', 'show', 'none'], /^events: .*there is no event "none"/],
    [['send', '--to', 'user:anna', '--text', 'x', '--event', 'e', '--offset', 'soon'], /^send: --offset takes seconds/],
    [['send', '--to', 'user:anna', '--text', 'x', '--offset', '-60'], /^send: offset: .*name the event/],
  ]
  for (const [args, line] of wrong)
    it(`says in one line what is wrong with ${args.join(' ')}`, async () => {
      const { code, err } = await run(...args)
      expect(err).to.match(line)
      expect(code).to.equal(2)
    })
})
