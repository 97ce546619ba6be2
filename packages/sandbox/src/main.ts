import { createLog, runProcess } from '@courier-fleet/process'
import { startSandbox } from './sandbox.ts'

const log = createLog(process.env.PROCESS_NAME ?? 'sandbox')

await runProcess(log, async () => {
  const port = Number(process.env.SANDBOX_PORT ?? process.env.PORT ?? 8090)
  const dataDir = process.env.SANDBOX_DATA_DIR
  const sandbox = await startSandbox({ port, log, ...(dataDir ? { dataDir } : {}) })
  log.info({ url: sandbox.url }, 'started')
  return sandbox
})
