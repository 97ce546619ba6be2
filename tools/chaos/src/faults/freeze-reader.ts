/** A courier that stands still between what it has read and what it does with it. */
import type { ChannelName } from '@courier-fleet/channels'
import type { Fleet, Process } from '../fleet.ts'

interface Reading {
  readonly channel: ChannelName
  /** what the request contains */
  readonly holds: string
  /** how long one may take to come by, ms */
  readonly withinMs: number
}

/** SIGSTOP of whichever courier of a channel is the next to read this, before it hears the answer; SIGCONT after `meanwhile`, which runs also where none has come by. */
export async function freezeReader(
  { targets }: Pick<Fleet, 'targets'>,
  reading: Reading,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const couriers = targets.filter(({ channel }) => channel === reading.channel)
  const frozen = await nextReader(couriers, reading)
  try {
    await meanwhile()
  } finally {
    frozen?.member.thaw()
  }
}

const nextReader = (couriers: readonly Process[], { holds, withinMs }: Reading): Promise<Process | undefined> =>
  new Promise((resolve) => {
    const done = (reader?: Process) => {
      clearTimeout(timer)
      for (const disarm of armed) disarm()
      reader?.member.freeze()
      resolve(reader)
    }
    const timer = setTimeout(done, withinMs)
    const armed = couriers.map((each) =>
      each.redis.arm({
        moment: 'after',
        matches: (sent) => sent.includes(holds),
        spring() {
          done(each)
          return 'forward'
        },
      }),
    )
  })
