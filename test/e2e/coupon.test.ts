/** `npm run measure -- coupon` at a small scale; and that what is wrong would be seen. */
import { expect } from 'chai'
import { judge, textOf } from './coupon/judge.ts'
import { measureCoupons } from './coupon/measure.ts'
import { planCoupons } from './coupon/plan.ts'

const options = { people: 200, reminders: 800, seed: 1, seconds: 3 }

describe('reminders of coupons', () => {
  it('made, cancelled and made again over the API: each goes out once and in time, and what is near as one', async () => {
    const said: string[] = []
    const { troubles, verdict } = await measureCoupons(options, (text) => said.push(text))
    expect(troubles, said.join('\n')).to.deep.equal([])
    expect(verdict.lateMs).to.have.length(planCoupons(options).remaining.length)
    expect(verdict.joined).to.have.length.above(50)
    expect(said.join('\n')).to.match(/\d+ s: \d+ are due, \d+ of \d+ have gone out/)
    expect(said.at(-1)).to.match(/every ledger balances$/)
  })

  it('are decided by the seed, and some are cancelled for good, some asked for anew', () => {
    const plan = planCoupons(options)
    expect(plan).to.deep.equal(planCoupons(options))
    expect(plan).to.not.deep.equal(planCoupons({ ...options, seed: 2 }))
    const { asked, cancelled, again, remaining, messages } = plan
    expect(asked).to.have.length(options.reminders)
    expect(again.length).to.be.above(0).and.below(cancelled.length)
    expect(remaining).to.have.length(asked.length - cancelled.length + again.length)
    expect(messages).to.be.above(0).and.below(remaining.length)
  })

  const [one, two, far] = [0, 900, 5000].map((afterMs, number) => ({ number, person: 7, coupon: number, afterMs }))
  const remaining = [one, two, far].filter((each) => each !== undefined)
  const beginsAt = 1_000_000
  const expected = { remaining, windowMs: 1000, messages: 2, beginsAt, addressOf: (person: number) => `a${person}` }
  const [first, second, third] = remaining.map(textOf) as [string, string, string]
  const message = (text: string, afterMs: number, address = 'a7') => ({ address, text, at: beginsAt + afterMs })
  const well = [message(`${first}\n\n${second}`, 5), message(third, 5003)]

  it('are well where they are', () => {
    const { troubles, lateMs, joined } = judge(well, expected)
    expect({ troubles, lateMs, joined }).to.deep.equal({ troubles: [], lateMs: [5, -895, 3], joined: [[0, 1]] })
  })
  const wrong: [what: string, taken: typeof well, why: RegExp][] = [
    ['lost', well.slice(0, 1), /^1 did not come$/m],
    ['told twice', [...well, message(third, 5010)], /^1 came twice$/m],
    ['cancelled', [...well, message('№99', 5)], /^1 came though they were cancelled/m],
    ['told to somebody else', [well[0] as never, message(third, 5003, 'a8')], /^1 came to somebody else$/m],
    ['early', [well[0] as never, message(third, 4000)], /^1 came before their time$/m],
    ['apart', [message(first, 5), message(second, 905), message(third, 5003)], /^1 messages too many/m],
    [
      'one with what is far',
      [message(`${first}\n\n${second}\n\n${third}`, 5)],
      /^1 came before their time\n1 messages too few/m,
    ],
  ]
  for (const [what, taken, why] of wrong)
    it(`it is seen where one is ${what}`, () => {
      expect(judge(taken, expected).troubles.join('\n')).to.match(why)
    })
})
