/** `npm run chaos`: makes the clone ready, finds a Redis and runs the fault suite. */
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'

const say = (text) => console.error(text)

await installDependencies(say)
await build(say)
// only now: before npm ci it is not there
const { register } = await import('tsx/esm/api')
register()
const { chaosCommand } = await import('../tools/chaos/src/index.ts')
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)) // ends the fleet with it
process.exitCode = await chaosCommand(process.argv.slice(2), {
  redisServer: () => findRedisServer({ say, dataDir }),
  out: (text) => console.log(text),
  err: say,
})
