/**
 * Calls of one caller that come in one turn of the event loop are accepted together, as the lines of a bulk request are: most of what a
 * step costs, its promises and what it asks of Redis, it costs once for all of them. Each is judged, answered and noted in the audit for itself.
 */
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../access/callers.ts'
import type { Draft, Offer } from './draft.ts'

/** Calls that wait for the same steps. */
const maxCalls = 64
/** of more it takes longer to find out who they are */
const maxPeople = 16

/**
 * Whether accepting it takes a few round trips to Redis, whatever it says, so that nobody who is accepted with it waits for long: it is for a few
 * people by name. One that goes with files, or may have to be judged anew because its event is moved, is accepted alone.
 */
export const isBrief = ({ body: { to, event, files } }: Offer): boolean =>
  event === undefined && files === undefined && to.length <= maxPeople && to.every(isPerson)

const isPerson = (token: string) => token.startsWith('user:')

interface Group {
  readonly by: Caller
  readonly drafts: Draft[]
  readonly accepted: Promise<void>
}

/** Who calls, found out at two moments: whether as the same, who may do the same. */
function isSame(one: Caller, other: Caller): boolean {
  if (one === other) return true
  const names = Object.keys(one) as (keyof Caller)[]
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

/**
 * @param accept as that of accept-message.ts: when it resolves, each draft has its answer
 * @returns the same for one, together with all that this caller says in this turn
 */
export function createTogether(accept: (drafts: readonly Draft[], by: Caller) => Promise<void>) {
  /** by the secret that was shown, that takes more */
  const groups = new Map<string, Group>()

  function open(by: Caller): Group {
    const drafts: Draft[] = []
    // whoever has come in this turn has said by then what they want
    const accepted = setImmediate().then(() => {
      if (groups.get(by.credential) === group) groups.delete(by.credential)
      return accept(drafts, by)
    })
    const group = { by, drafts, accepted }
    groups.set(by.credential, group)
    return group
  }

  return (draft: Draft, by: Caller): Promise<void> => {
    const known = groups.get(by.credential)
    const group = known && known.drafts.length < maxCalls && isSame(known.by, by) ? known : open(by)
    group.drafts.push(draft)
    return group.accepted
  }
}
