/** `npm run chaos`: makes the clone ready, finds a Redis and runs the fault suite. */
import { join } from 'node:path'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'

const say = (text) => console.error(text)

installDependencies(say)
build(say)
const { chaosCommand } = await import('../tools/chaos/dist/index.js')
const { courierSettings } = await import('./courier-settings.mjs')
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)) // ends the fleet with it
process.exitCode = await chaosCommand(process.argv.slice(2), {
  root: join(import.meta.dirname, '..'),
  courierSettings,
  redisServer: () => findRedisServer({ say, dataDir }),
  out: (text) => console.log(text),
  err: say,
})
