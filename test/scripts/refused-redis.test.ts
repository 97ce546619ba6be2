import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'

describe('npm start on a Redis that would lose messages', () => {
  it('ends, and says why', async () => {
    const redis = await ownRedis()
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-refused-'))
    try {
      await redis.redis().config('SET', 'maxmemory-policy', 'allkeys-lru')
      const env = { PATH: process.env.PATH, FLEET_DATA: dir, REDIS_URL: redis.url, PORT: String(await freePort()) }
      const child = spawn(process.execPath, ['scripts/up.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk
        })
      const [code] = await once(child, 'close')
      expect(said).to.contain(
        'npm start: Redis would evict messages (maxmemory-policy allkeys-lru): set it to noeviction',
      )
      expect(code).to.equal(1)
      expect(await redis.redis().dbsize()).to.equal(0)
    } finally {
      await redis.stop()
      rmSync(dir, { recursive: true })
    }
  })
})
