import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readCosts, readWorks } from '../../scripts/sizing/costs.mjs'
import { machinesOf, machinesTable } from '../../scripts/sizing/machine.mjs'
import { sizeOf } from '../../scripts/sizing/size.mjs'
import { sizeText } from '../../scripts/sizing/size-text.mjs'
import { readWish } from '../../scripts/sizing/wish.mjs'
import { cluster } from '../../tools/bench/cases/cluster.ts'

const root = join(import.meta.dirname, '../..')
const measured = JSON.parse(readFileSync(join(root, 'tools/bench/results.json'), 'utf8'))
/** with what `bench -- cluster` gives, by its own names */
const results = {
  ...measured,
  cluster: { figures: Object.keys(cluster.metrics).map((metric) => ({ metric, ours: 2 })) },
}

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
    expect(numbers).to.have.length(24)
    for (const each of numbers) expect(each).to.be.above(0)
    const { memory: _, ...without } = results
    expect(() => readCosts(without)).to.throw(
      'the bench has not measured "memory: everything sent": npm run bench -- memory',
    )
    const untold = { ...results, costs: { ...results.costs, remarks: [] } }
    expect(() => readCosts(untold)).to.throw(/^the bench has not measured courier-vk in .*npm run bench -- costs$/)
  })

  it('computes what one machine gives, and from how many cores on Redis is what limits', () => {
    const works = [{ what: 'people', us: { all: 70, redis: 12 }, account: 30 }]
    const machines = machinesOf(works, [2, 8])
    // 0.7 of each core for 70 µs, and 0.6 of one for 12 µs
    expect(machines).to.deep.equal([{ what: 'people', perSecond: [20_000, 50_000], redisFrom: 5, account: 30 }])
    expect(machinesTable(machines, [2, 8]).split('\n').at(-1)).to.equal('| people | 20 000 | 50 000 | 5 cores | 30 |')
    const [single, ...toMany] = readWorks(measured)
    expect(single?.us.all).to.be.above(single?.us.redis ?? 0)
    expect(toMany.map(({ account }) => account)).to.deep.equal([50_000, 30, 100])
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

  it('counts more work on several masters, by the busiest of them, and where replicas are waited for', () => {
    const factors = { work: 2, busiest: 1.5, confirmed: 3 }
    const on = (args: string) => sizeOf({ ...costs, cluster: factors }, readWish(args.split(' ')).wish)
    const small = '--people 6000 --minutes 1 --peak 0 --channels sms,vk'
    expect(on(small)).to.deep.include({ durability: 'master', masters: 1, replicas: 0 })
    expect(on(small).cores.redis).to.equal(0.01)
    expect(on(`${small} --durability all`)).to.deep.include({ durability: 'all', masters: 1, replicas: 2 })
    // 100 × (3 × 90 + 10) µs
    expect(on(`${small} --durability replica`).cores.redis).to.equal(0.028)
    const large = on('--people 0 --peak 100000 --bulk')
    expect(large).to.deep.include({ durability: 'replica', replicas: 2, isMeasured: true })
    // 26 cores, of the busiest one and a half as much, at most 60 % of each
    expect([large.cores.redis, large.masters]).to.deep.equal([26, 65])
  })

  it('says what is not in it while no cluster has been measured', () => {
    const told = (args: string) => sizeText(readWish(args.split(' ')).wish, size(args))
    const says = /^what a cluster costs beside that is not in it: npm run bench -- cluster$/m
    expect(told('--people 10000000 --peak 1'))
      .to.match(says)
      .and.match(/^their replicas +\d+ {3}2 of each, as durability replica /m)
    expect(told('--people 10 --peak 1')).not.to.match(says)
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

  it('tells what machines give, as a table or as JSON', () => {
    expect(run('--cores', '2,4').stdout).to.match(/^\| a second \| 2 cores \| 4 cores \| Redis limits from \|/)
    expect(JSON.parse(run('--cores', '4', '--json').stdout).machines[0].perSecond).to.have.length(1)
  })

  for (const [args, says] of [
    [['--cores', '2,0'], /^sizing: --cores takes whole numbers above 0, as 2,4,8, not "2,0"$/m],
    [['--people', '10'], /^sizing: say --peak\nnpm run sizing -- --people/],
    [['--people', 'many', '--peak', '1'], /^sizing: --people takes a number, not "many"$/m],
    [['--people', '1', '--peak', '1', '--minutes', '0'], /^sizing: --minutes takes a number, not "0"$/m],
    [['--people', '1', '--peak', '1', '--channels', 'fax'], /^sizing: --channels takes vk, .*, not "fax"$/m],
    [['--people', '1', '--peak', '1', '--durability', 'none'], /^sizing: --durability takes master, .*, not "none"$/m],
    [['--folk', '1'], /^sizing: Unknown option '--folk'/],
  ] as const)
    it(`says what is wrong with ${args.join(' ')}`, () => {
      const { stderr, stdout, status } = run(...args)
      expect(stderr).to.match(says)
      expect([status, stdout]).to.deep.equal([2, ''])
    })
})
