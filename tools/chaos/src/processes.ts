/** The processes of a run: started again whenever they end, and heard out for what must not happen. */
import { createProcesses, type Processes } from '@courier-fleet/launch'

export interface Watched {
  /** log lines that tell of a defect of ours in talking to Redis */
  readonly scriptErrors: readonly string[]
  /** those that ended and nobody had ended them */
  readonly ownEnds: readonly string[]
}

/** as a supervisor starts them again at first, however often they have ended before */
const backoff = { firstMs: 300, maxMs: 300, servedMs: Number.POSITIVE_INFINITY }
/** whoever is started while Redis is away says so and ends; it is started again until Redis is there */
const isStartWithoutRedis = /Redis .* (cannot be reached|does not serve)/
const isScriptError = /user_script|WRONGTYPE|Wrong number of args|unpack|attempt to (index|compare|perform|call)/

export function createWatchedProcesses(logDir: string): { processes: Processes; watched: Watched } {
  const scriptErrors: string[] = []
  const ownEnds: string[] = []
  const processes = createProcesses({
    backoff,
    logDir,
    onEnd({ name, output }, reason) {
      if (!isStartWithoutRedis.test(output)) ownEnds.push(`${name} ${reason} by itself: ${output.slice(-500)}`)
    },
    onOutput(name, text) {
      if (isScriptError.test(text)) scriptErrors.push(`${name}: ${text.slice(0, 500)}`)
    },
  })
  return { processes, watched: { scriptErrors, ownEnds } }
}
