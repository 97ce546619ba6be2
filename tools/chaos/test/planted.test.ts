import { expect } from 'chai'
import { points } from '../src/points.ts'
import type { ChaosReport } from '../src/run.ts'
import { runWithout } from './planted.ts'

const afterSend = String(points.find(({ name }) => name === 'after send')?.number)

/**
 * The suite is of use only if it notices when a safeguard is missing. That the fence is one is shown where it is certain: by the model,
 * and by couriers/test/scripts/record.test.ts. Here a process has to wake up while another is in the midst of the same claim.
 * Those that do not hide each other are taken out together, and found in one run.
 */
describe('fault suite without', function () {
  this.timeout(1_200_000)

  /** of these channels, where the answer is lost to whoever asked */
  const killedAfterSend = (...channels: string[]) => ['--point', afterSend, '--channel', channels.join(',')]
  const small = ['--people', '3000', '--couriers', '4']
  // so many kills at most: it ends with the round that finds one
  const untilOneIsFound = (channel: string) => [
    ...['--kills', '60', ...killedAfterSend(channel)],
    ...['--faults', 'none', '--fail-fast', ...small],
  ]
  const foundIn = ({ violations }: ChaosReport) =>
    violations.map(({ kind, channel, what }) => `${kind} ${channel ?? '-'} ${what}`).join('\n')

  it("the write-ahead mark, the derived key, and Redis's own clock: an SMS is sent again after a crash, a resend by VK is not folded, and whoever's clock is ahead sends before it is due", async () => {
    const early = '^told-falsely \\w+ the provider had it \\d+ ms before it was due$'
    const until = ['^duplicated sms ', '^duplicated vk ', early].flatMap((each) => ['--until', each])
    // half of the clocks are set back, and one that is ahead has to wake something just then
    const steps = ['--faults', 'clock-step,clock-step,clock-step']
    // so many rounds at most: it ends with that by which all three are found
    const some = ['--kills', '120', ...killedAfterSend('sms', 'vk'), ...steps, ...small]
    const safeguards = ['the write-ahead mark', 'the derived key', "Redis's own clock"] as const
    const report = await runWithout(safeguards, [...some, ...until])
    const found = foundIn(report)
    expect(report.duplicated.sms, found).above(0)
    expect(report.duplicated.vk, found).above(0)
    expect(found).to.match(new RegExp(early, 'm'))
  })

  it('the same body at every try: a call comes again as another', async () => {
    const report = await runWithout('the same body at every try', untilOneIsFound('http'))
    expect(report.calls.changed, JSON.stringify(report)).above(0)
  })

  it('certainty before the next phone: whoever may have it by the first is sent it by the next', async () => {
    const report = await runWithout('certainty before the next phone', untilOneIsFound('sms'))
    expect(foundIn(report)).to.match(/^told-falsely \S+ went on to the next phone, and the first is in order$/m)
  })

  it('the word for what is not confirmed, the condition of a mark, its version, what is left of a budget, and the hour that is counted: each is found, in one run', async () => {
    const some = ['--kills', '10', '--faults', 'budgets', ...small]
    const safeguards = [
      'the word for what is not confirmed',
      'the condition of the mark',
      'the version of the mark',
      'what is left of a budget',
      'the hour that is counted',
    ] as const
    const report = await runWithout(safeguards, some)
    const found = foundIn(report)
    expect(found).to.match(/^told-falsely - says "Everyone .*got it: .*" of 0 delivered$/m)
    expect(report.rules.join('\n')).to.match(/^budgets: \d+ SMS were taken in a month that has \d+$/m)
    // of each channel the first wrong number is told: where the run began in this hour, nobody is counted in the hours that are asked for
    expect(found).to.match(/^imbalance \w+ (?:in the hour from \S+ )?statistics count \d+ /m)
    // whoever reads the text stands still while it is corrected, in every round
    expect(found).to.match(/^told-falsely telegram \d+ have the older text alone, and 0 are listed$/m)
    expect(found).to.match(
      /^told-falsely telegram was sent this step though they were reached \d+ ms before it was due$/m,
    )
  })
})
