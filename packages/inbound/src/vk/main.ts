import type { Log } from '@courier-fleet/process'
import { readConfig } from './config.ts'
import { startVkInbound } from './start.ts'

export const start = (env: NodeJS.ProcessEnv, log: Log): Promise<{ stop(): Promise<void> }> =>
  startVkInbound({ config: readConfig(env), log })
