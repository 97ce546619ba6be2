/** Calls that stay open (streams of events, trackers, bulk) are few of each owner: every one holds a connection and watches. */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyReply } from 'fastify'
import { type Caller, hasPowers } from '../access/callers.ts'
import type { Rules } from './rules.ts'

/** operators and admins run programs that watch for many */
const timesMore = 8
const retryAfterSeconds = 5

export interface OpenCalls {
  /** Counts this call of this process until it has been answered or the client has gone. @throws Problem 429 `too-many-open` */
  enter(caller: Caller, reply: FastifyReply): void
}

export function createOpenCalls({ rules }: { rules: Rules }): OpenCalls {
  const open = new Map<string, number>()

  return {
    enter(caller, reply) {
      if (rules.openCalls === undefined || reply.raw.destroyed) return
      const { owner } = caller
      const max = rules.openCalls * (hasPowers(caller) ? timesMore : 1)
      const before = open.get(owner) ?? 0
      if (before >= max) {
        const detail = `you have ${max} calls open that wait or stream; end some of them`
        throw new Problem(429, 'too-many-open', detail, undefined, retryAfterSeconds)
      }
      open.set(owner, before + 1)
      reply.raw.once('close', () => {
        const left = (open.get(owner) ?? 1) - 1
        if (left > 0) open.set(owner, left)
        else open.delete(owner)
      })
    },
  }
}
