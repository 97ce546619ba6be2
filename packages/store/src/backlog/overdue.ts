/** What has come due and nobody has woken. */

export interface Overdue {
  readonly deliveries: number
  /** how late the earliest of them is; 0 when there is none */
  readonly oldestMs: number
}

export function sumOverdue(shards: readonly Overdue[]): Overdue {
  return {
    deliveries: shards.reduce((sum, { deliveries }) => sum + deliveries, 0),
    oldestMs: Math.max(0, ...shards.map(({ oldestMs }) => oldestMs)),
  }
}
