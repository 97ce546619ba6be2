import {
  createLog,
  listenHost,
  optional,
  port,
  processName,
  readSettings,
  runProcess,
  text,
  withDefault,
} from '@courier-fleet/process'
import { linkFleet } from './fleet-link.ts'
import { startSandbox } from './sandbox.ts'

const log = createLog(processName('sandbox'))

await runProcess(log, async () => {
  const fields = {
    SANDBOX_HOST: listenHost,
    SANDBOX_PORT: withDefault(port, 8090),
    SANDBOX_DATA_DIR: optional(text('a folder')),
  }
  const { SANDBOX_HOST: host, SANDBOX_PORT, SANDBOX_DATA_DIR: dataDir } = readSettings(process.env, fields)
  const fleet = linkFleet(process)
  const sandbox = await startSandbox({ host, port: SANDBOX_PORT, fleet, log, ...(dataDir ? { dataDir } : {}) })
  log.info({ url: sandbox.url }, 'started')
  return sandbox
})
