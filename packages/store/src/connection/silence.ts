/**
 * A process that is frozen, or computes for long, hears nothing meanwhile; and Node calls the timers that are due before it reads what has
 * come. So a wait for Redis is made of several short ones, each begun when the one before is over: however long the process was frozen, it loses
 * one of them, and what Redis answered in time is heard.
 */
import type { Command } from 'ioredis'
import type { RedisNode } from './client.ts'

const parts = 5

/** @param keep is given the timer of each part: the wait has ended when that is cleared */
function wait(ms: number, keep: (timer: NodeJS.Timeout) => void, over: () => void, left = parts): void {
  keep(setTimeout(() => (left > 1 ? wait(ms, keep, over, left - 1) : over()), ms / parts))
}

/** Fails a command that is not answered in so long, ms: what `commandTimeout` of ioredis does. */
export function failAfter(command: Command, ms: number): void {
  // cleared by ioredis when the command is settled
  const timed = command as unknown as { _commandTimeoutTimer?: NodeJS.Timeout }
  if (timed._commandTimeoutTimer) return
  const keep = (timer: NodeJS.Timeout) => {
    timed._commandTimeoutTimer = timer
  }
  wait(ms, keep, () => command.reject(new Error('Command timed out')))
}

/** of ioredis (6.0.0) */
interface Internals {
  /** cleared by ioredis when the stream has closed */
  socketTimeoutTimer: NodeJS.Timeout | undefined
  readonly commandQueue: { readonly length: number }
  setSocketTimeout(): void
}

/** Has a connection left on which nothing comes for its `socketTimeout`, though something was asked. */
export function leaveSilent(redis: RedisNode): RedisNode {
  const ms = redis.options.socketTimeout as number
  const internals = redis as unknown as Internals
  const keep = (timer: NodeJS.Timeout) => {
    internals.socketTimeoutTimer = timer
  }
  internals.setSocketTimeout = () => {
    const { stream } = redis
    wait(ms, keep, () => {
      internals.socketTimeoutTimer = undefined
      stream.destroy(new Error(`Socket timeout: nothing came in ${ms} ms`))
    })
    stream.once('data', () => {
      clearTimeout(internals.socketTimeoutTimer)
      internals.socketTimeoutTimer = undefined
      if (internals.commandQueue.length > 0) internals.setSocketTimeout()
    })
  }
  return redis
}
