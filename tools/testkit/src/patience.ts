/**
 * How long several Redis processes hold out when one of them is silent. On a busy machine all of them are at times, and a fail-over that no test has
 * asked for would follow: so they hold out for a minute, until a test kills or freezes one, or has a replica take over.
 */
import type { Redis } from 'ioredis'
import type { OwnNode } from './own-node.ts'

const patientMs = 60_000

/**
 * @param admins to those that hold out
 * @param goneAfterMs how long they do once patience has ended
 */
export function createPatience(
  admins: readonly Redis[],
  goneAfterMs: number,
  tell: (admin: Redis, ms: number) => Promise<unknown>,
) {
  /** those that are there: the others may be gone, and none of these may stand still */
  const end = () =>
    Promise.all(admins.filter(({ status }) => status === 'ready').map((admin) => tell(admin, goneAfterMs)))
  return {
    end,
    /** once all are there again */
    async renew(): Promise<void> {
      await Promise.all(admins.map((admin) => tell(admin, patientMs)))
    },
    endsWith: (node: OwnNode): OwnNode => ({
      ...node,
      async kill(signal) {
        await end()
        await node.kill(signal)
      },
      freeze() {
        end().catch(() => {}) // of one that is ended before it goes on
        node.freeze()
      },
    }),
  }
}
