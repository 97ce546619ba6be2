import type { RedisNode } from './client.ts'
import { failAfter } from './silence.ts'

let left = 0
/** How often something that was held back has left, on any connection of this process: what was asked for since then is still here. */
export const timesLeft = (): number => left

/**
 * Holds back what one tick writes, so that it leaves together: a system call for many commands, and each of them is still sent again
 * by itself. (ioredis's own pipelining makes one of them: on a cluster it fails for ever when one of its slots has moved.)
 * A command whose time was up while it waited to be sent is not sent any more: its caller was told.
 * @param patienceMs a command fails after so long; without it, it waits for Redis to come back
 */
export function corked(redis: RedisNode, patienceMs?: number): RedisNode {
  const send = redis.sendCommand.bind(redis)
  let held: RedisNode['stream'] | undefined
  redis.sendCommand = (command, to) => {
    if (command.isSettled) return command.promise
    if (patienceMs !== undefined) failAfter(command, patienceMs)
    const { stream } = redis
    if (stream && stream !== held) {
      held = stream
      stream.cork()
      setImmediate(() => {
        if (held === stream) held = undefined
        left += 1
        stream.uncork()
      })
    }
    return send(command, to)
  }
  return redis
}
