/** A process to be stopped: what it does is its first argument. Run by lifecycle.test.ts. */

import { runProcess } from '../src/lifecycle.ts'
import { createLog } from '../src/log.ts'

const [does] = process.argv.slice(2)
const log = createLog('child', 'info')
const say = (word: string) => process.stdout.write(`${word}\n`)
const idle = setInterval(() => {}, 1000)

await runProcess(
  log,
  async () => {
    if (does === 'cannot start') {
      say('starting')
      await new Promise(() => {})
    }
    if (does === 'fails') throw new Error('no token in the environment')
    if (does === 'secrets') {
      const secrets = { token: 'S1', apiKey: 'S2', password: 'S3', secret: 'S4', session: 'S5' }
      log.info({ ...secrets, config: secrets, req: { headers: { authorization: 'S6' } }, plain: 'shown' }, 'secrets')
    }
    say('started')
    return {
      async stop() {
        say('stopping')
        if (does === 'hangs') await new Promise(() => {})
        clearInterval(idle)
        say('stopped')
      },
    }
  },
  300,
)
