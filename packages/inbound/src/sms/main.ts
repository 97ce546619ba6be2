import type { Log } from '@courier-fleet/process'
import { readConfig } from './config.ts'
import { startSmsInbound } from './start.ts'

export const start = (env: NodeJS.ProcessEnv, log: Log): Promise<{ stop(): Promise<void> }> =>
  startSmsInbound({ config: readConfig(env), log })
