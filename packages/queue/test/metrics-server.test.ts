import { silentLog } from '@courier-fleet/process'
import { freePort } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startMetricsServer } from '../src/fleet/metrics-server.ts'

describe('metrics on an address of their own', () => {
  it('are there, and nothing else is', async () => {
    const port = await freePort()
    let fails = false
    const read = async () => {
      if (fails) throw new Error('no')
      return { type: 'text/plain; version=0.0.4', text: 'fleet_redis_up 1\n' }
    }
    const server = await startMetricsServer({ host: '127.0.0.1', port, read, log: silentLog })
    try {
      const ask = async (path: string, method = 'GET') => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
        return [answer.status, answer.headers.get('content-type'), await answer.text()]
      }
      expect(await ask('/metrics')).to.deep.equal([200, 'text/plain; version=0.0.4', 'fleet_redis_up 1\n'])
      for (const [path, method] of [['/v1/people'], ['//'], ['/metrics', 'POST']] as const)
        expect((await ask(path, method)).slice(0, 2)).to.deep.equal([404, 'application/problem+json'])
      fails = true
      expect((await ask('/metrics')).slice(0, 2)).to.deep.equal([500, 'application/problem+json'])
    } finally {
      await server.stop()
    }
  })
})
