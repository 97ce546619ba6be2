/** A process to be stopped: what it does is its first argument, its grace in ms the second. Run by lifecycle.test.ts. */

import { runProcess } from '../src/lifecycle.ts'
import { createLog } from '../src/log.ts'

const [does, graceMs] = process.argv.slice(2)
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
    if (does === 'defect') {
      const error = Object.assign(new Error('a defect'), {
        command: { name: 'set', args: ['sign-in:anna', 'PLANTED'] },
      })
      log.error({ err: new Error('outer', { cause: error }) }, 'logged before')
      const unknown = "ERR unknown command 'sett', with args beginning with: 'PLANTED' "
      log.error({ err: Object.assign(new Error(unknown), { code: 'E1' }) }, 'logged, too')
      setTimeout(() => void Promise.reject(error))
    }
    say('started')
    return {
      async stop() {
        say('stopping')
        if (does === 'hangs') await new Promise(() => {})
        if (does === 'stands still') {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
        clearInterval(idle)
        say('stopped')
      },
    }
  },
  Number(graceMs),
)
