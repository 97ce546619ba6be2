import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readCosts } from '../../scripts/sizing/costs.mjs'
import { sizeOf } from '../../scripts/sizing/size.mjs'
import { readWish } from '../../scripts/sizing/wish.mjs'

const root = join(import.meta.dirname, '../..')
const results = JSON.parse(readFileSync(join(root, 'tools/bench/results.json'), 'utf8'))

/** round numbers, to be followed in one's head */
const costs: ReturnType<typeof readCosts> = {
  accept: { redis: 30, timekeeper: 5 },
  perSecond: { put: 1_000, bulk: 10_000 },
  deliver: { redis: 100, courier: 200, timekeeper: 5 },
  toMany: { vk: { redis: 10, courier: 20 }, telegram: { redis: 20, courier: 600 }, sms: { redis: 90, courier: 700 } },
  bytes: { pending: 800, evidence: 50, receipt: 0, sent: 80, person: 1_000 },
  processMb: { queue: 100, timekeeper: 50, courier: 200 },
}
const size = (args: string) => sizeOf(costs, readWish(args.split(' ')).wish)

describe('npm run sizing', () => {
  it('takes its costs from what the bench has measured, and says what it misses', () => {
    const read = readCosts(results)
    const figure = (of: string, metric: string) =>
      results[of].figures.find((each: { metric: string }) => each.metric === metric).ours
    expect(read.deliver.redis).to.equal(figure('costs', 'delivering: Redis'))
    expect(read.bytes.pending).to.equal(figure('memory', 'pending message'))
    const numbers =
      JSON.stringify(read)
        .match(/[\d.]+/g)
        ?.map(Number) ?? []
    expect(numbers).to.have.length(21)
    for (const each of numbers) expect(each).to.be.above(0)
    const { memory: _, ...without } = results
    expect(() => readCosts(without)).to.throw(
      'the bench has not measured "memory: everything sent": npm run bench -- memory',
    )
    const untold = { ...results, costs: { ...results.costs, remarks: [] } }
    expect(() => readCosts(untold)).to.throw(/^the bench has not measured courier-vk in .*npm run bench -- costs$/)
  })

  it('computes how much work there is, and how many are to do it', () => {
    // 1000 × (30 + 100) + 10 000 × 10 µs of Redis; 1000 × 200 + 10 000 × 20 µs of a courier
    const { cores, processes, masters } = size('--people 600000 --minutes 1 --peak 1000')
    expect(cores).to.deep.equal({ redis: 0.23, queue: 1, timekeeper: 0.01, 'courier-vk': 0.4 })
    expect(processes).to.deep.equal({ queue: 2, timekeeper: 2, 'courier-vk': 2 })
    expect(masters).to.equal(3) // 71 GiB: 600 000 people, and 90 days of two messages a day to each
    expect(size('--people 0 --peak 100000 --bulk')).to.deep.include({
      masters: 22, // 13 cores, at most 60 % of each
      processes: { queue: 15, timekeeper: 2, 'courier-vk': 29 },
    })
  })

  it('adds up what each channel takes', () => {
    const { cores, everybodyAfter } = size('--people 6000 --minutes 1 --peak 0 --channels telegram,sms')
    expect(cores).to.include({ redis: 0.011, 'courier-telegram': 0.06, 'courier-sms': 0.07 })
    expect(everybodyAfter).to.deep.equal({ telegram: 200, sms: 60 })
    expect(size('--people 6000 --minutes 1 --peak 0 --channels mail').cores).to.include({ 'courier-mail': 0.07 })
  })

  it('computes what Redis has to hold', () => {
    const { data, redisBytes } = size('--people 1000 --peak 1 --daily 10 --days 10 --to-all 2')
    expect(data).to.deep.equal({ people: 1_000_000, single: 10 * 10 * 850, toAll: 2 * 10 * 1000 * 80 })
    expect(redisBytes).to.equal(1.5 * (1_000_000 + 85_000 + 1_600_000))
  })

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/sizing.mjs'), ...args], { encoding: 'utf8' })

  it('tells it in words, or as JSON', () => {
    const { stdout, status } = run('--people', '100000', '--peak', '100', '--channels', 'telegram')
    expect(status).to.equal(0)
    expect(stdout)
      .to.match(/^100 000 people; at the peak 100 messages a second /)
      .and.match(/^Redis masters +\d+ {3}[\d.]+ cores of work/m)
      .and.match(/^courier-telegram +2 /m)
      .and.match(/^everybody by telegram +56 min /m)
    expect(JSON.parse(run('--people', '10', '--peak', '1', '--json').stdout).wish).to.include({ people: 10, days: 90 })
  })

  for (const [args, says] of [
    [['--people', '10'], /^sizing: say --peak\nnpm run sizing -- --people/],
    [['--people', 'many', '--peak', '1'], /^sizing: --people takes a number, not "many"$/m],
    [['--people', '1', '--peak', '1', '--minutes', '0'], /^sizing: --minutes takes a number, not "0"$/m],
    [['--people', '1', '--peak', '1', '--channels', 'fax'], /^sizing: --channels takes vk, .*, not "fax"$/m],
    [['--folk', '1'], /^sizing: Unknown option '--folk'/],
  ] as const)
    it(`says what is wrong with ${args.join(' ')}`, () => {
      const { stderr, stdout, status } = run(...args)
      expect(stderr).to.match(says)
      expect([status, stdout]).to.deep.equal([2, ''])
    })
})
