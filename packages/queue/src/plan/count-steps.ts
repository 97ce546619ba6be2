/** How many people a rehearsal finds for each step of a message, at most, and how many of them wait for nothing. */
import type { MessageSteps, RehearsalView } from '@courier-fleet/api-types'

type StepReach = NonNullable<RehearsalView['steps']>[number]

export interface StepReaches {
  /** @param channels on which somebody can be reached */
  add(channels: readonly string[]): void
  views(): StepReach[]
}

export function createStepReaches(steps: MessageSteps): StepReaches {
  const counts = steps.map(() => ({ atMost: 0, atOnce: 0 }))
  return {
    add(channels) {
      let isReachable = false
      for (const [index, step] of steps.entries()) {
        const count = counts[index] as (typeof counts)[number]
        if (!step.channels.some((channel) => channels.includes(channel))) continue
        count.atMost += 1
        if (!isReachable) count.atOnce += 1
        isReachable = true
      }
    },
    views: () =>
      steps.map(({ channels, after, unless }, index) => ({
        channels,
        ...(after && unless ? { after, unless } : {}),
        ...(counts[index] as (typeof counts)[number]),
      })),
  }
}
