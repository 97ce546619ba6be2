/** Ends one courier after the other, as a deployment does; whoever supervises them starts them again. */
import { runningProcesses } from './gauge.mjs'

/** @returns {{ stop(): number }} `stop` says how many were ended */
export function restartCouriers(everyMs) {
  let ended = 0
  const timer = setInterval(() => {
    const couriers = runningProcesses().filter(({ name }) => name.startsWith('courier-'))
    const next = couriers[ended % couriers.length]
    if (!next) return
    process.kill(next.pid, 'SIGTERM')
    ended += 1
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return ended
    },
  }
}
