/** Server-sent events on their way to a reader, with a sign of life while there are none. */
import { PassThrough, pipeline, Readable } from 'node:stream'

/** keeps proxies from closing a silent connection */
export const heartbeatMs = 15_000

/** @param onEnd of the events, or of their reader; with what went wrong, where anything did */
export function withHeartbeat(events: AsyncIterable<string>, onEnd: (error?: Error | null) => void): PassThrough {
  const out = new PassThrough()
  // whoever reads slowly has not got to the end yet when the last event is written, and after that nothing may be
  const heartbeat = setInterval(() => out.writable && out.write(': still here\n\n'), heartbeatMs)
  pipeline(Readable.from(events), out, (error) => {
    clearInterval(heartbeat)
    onEnd(error)
  })
  return out
}
