/** Whoever finds data of another layout ends, and says in one sentence what is there, what it needs and what to do. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grownLayout, keys } from '@courier-fleet/store'
import { type FreshRedis, freePort, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'

describe('data of another layout', () => {
  let redis: FreshRedis
  let dir: string
  before(async () => {
    redis = await freshRedis()
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-layout-'))
  })
  after(async () => {
    await redis.stop()
    rmSync(dir, { recursive: true })
  })

  /** Its exit code, and all it has said. */
  async function run(args: readonly string[]): Promise<{ code: number; said: string }> {
    const env = { PATH: process.env.PATH, FLEET_DATA: dir, REDIS_URL: redis.url, PORT: String(await freePort()) }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk
      })
    const [code] = await once(child, 'close')
    return { code, said }
  }

  const programs: Record<string, readonly string[]> = {
    queue: ['dist/programs/queue.js'],
    timekeeper: ['dist/programs/timekeeper.js'],
    'a courier': ['dist/programs/couriers.js', 'vk'],
    'npm start': ['scripts/up.mjs'],
  }
  for (const [name, args] of Object.entries(programs)) {
    it(`${name} refuses it`, async () => {
      await redis.redis.hset(keys.fleet, { layout: grownLayout + 1, shards: 16 })
      const { code, said } = await run(args)
      expect(said).to.contain(`Redis holds data of layout ${grownLayout + 1}, and this version of courier-fleet needs`)
      expect(code).to.equal(1)
      expect(await redis.redis.keys('*')).to.deep.equal([keys.fleet])
    })
  }
})
