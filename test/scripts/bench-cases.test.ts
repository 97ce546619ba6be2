import { existsSync } from 'node:fs'
import { fixBuckets, personBuckets } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Case } from '../../tools/bench/case.ts'
import { isVoid } from '../../tools/bench/figures.ts'
import { loadPeople } from '../../tools/bench/ours/people.ts'
import { runCases } from '../../tools/bench/run-cases.ts'
import { startCluster } from '../../tools/bench/server/cluster.ts'
import { startServer } from '../../tools/bench/server/server.ts'

const example = (name: string, measure: Case['measure']): Case => ({
  name,
  title: name,
  about: '',
  maxRuns: 1,
  metrics: { speed: { unit: 'messages/s', target: { least: 1 } }, size: { unit: 'bytes' } },
  plots: [],
  population: [2],
  measure,
})

describe('a case of the benchmark that fails', () => {
  it('is void, and those after it are measured all the same, in a population without what it left behind', async () => {
    const said: string[] = []
    const server = await startServer(() => {})
    try {
      const before = example('before', async (bench) => {
        await bench.populate()
        await server.redis.set('history:left', 1)
        bench.record.ours('speed', 3)
        throw new Error('not ready: queue')
      })
      const after = example('after', async (bench) => {
        await bench.populate()
        expect(await server.redis.exists('history:left')).to.equal(0)
        bench.record.ours('speed', 4)
        bench.record.ours('size', 5)
      })
      const results = await runCases({
        cases: [before, after],
        server,
        runs: 1,
        scale: 1,
        say: (text) => said.push(text),
      })
      expect(results.before?.figures.map(isVoid)).to.deep.equal([true, true])
      expect(results.before?.figures[0]).to.include({ ours: null, note: 'void: the case failed: not ready: queue' })
      expect(results.after?.figures.map(({ ours }) => ours)).to.deep.equal([4, 5])
      expect(results.after?.figures.map(isVoid)).to.deep.equal([false, false])
      expect(said.join('\n')).to.match(/before: failed: Error: not ready: queue/)
    } finally {
      await server.stop()
    }
  })
})

describe('a cluster of the benchmark', () => {
  afterEach(() => fixBuckets(16))

  it('has its masters and their replicas, people in its own buckets, and is gone afterwards', async () => {
    fixBuckets(undefined)
    const { dir, redis, masters, replicas, stop } = await startCluster({ masters: 1, replicas: 1, say: () => {} })
    try {
      const roles = await Promise.all([...masters, ...replicas].map(async (node) => (await node.role())[0]))
      expect(roles).to.deep.equal(['master', 'slave'])
      await loadPeople(redis, [2], () => {})
      expect([personBuckets(), await redis.hget('fleet', 'buckets')]).to.deep.equal([256, '256'])
    } finally {
      await stop()
    }
    expect(existsSync(dir)).to.equal(false)
  })
})
