/** A replay as it is played: in which class everyone is at each step, and whose changes from one step to another. */
import { classOfState, type PeopleClass, peopleClasses } from '@courier-fleet/api-types/people-classes'
import { tellsMore } from '@courier-fleet/channels'
import type { Replay } from '@courier-fleet/client'
import { createReplayLine, type ReplayLine, steps } from './replay-line.ts'

const pending = peopleClasses.indexOf('pending')

export interface ReplayShow {
  readonly line: ReplayLine
  /** in which class everyone is now, and how many are in each: positions in the list of classes */
  readonly now: Uint8Array
  readonly counts: readonly number[]
  /** the classes that anybody is in at any time */
  readonly classes: readonly PeopleClass[]
  /** Everyone whose class is another at that step, as often as it is another on the way there. */
  go(step: number, onChange: (person: number, peopleClass: number) => void): void
}

/** Everyone is pending before the first step. */
export function createReplayShow(replay: Replay): ReplayShow {
  const line = createReplayLine(momentsOf(replay))
  const { persons, before, after, ends } = inOrder(changesOf(replay, line))
  const counts = peopleClasses.map((_, index) => (index === pending ? replay.size : 0))
  const now = new Uint8Array(replay.size).fill(pending)
  const found = new Set<number>([...before, ...after])
  let done = 0

  function change(onChange: (person: number, peopleClass: number) => void, index: number, from: number, to: number) {
    counts[from] = (counts[from] as number) - 1
    counts[to] = (counts[to] as number) + 1
    now[persons[index] as number] = to
    onChange(persons[index] as number, to)
  }
  return {
    line,
    now,
    counts,
    classes: peopleClasses.filter((_, index) => found.has(index) || (counts[index] as number) > 0),
    go(step, onChange) {
      const end = ends[step] as number
      for (; done < end; done += 1) change(onChange, done, before[done] as number, after[done] as number)
      while (done > end) {
        done -= 1
        change(onChange, done, after[done] as number, before[done] as number)
      }
    },
  }
}

function momentsOf({ offsets, marks }: Replay): Float64Array {
  const known = [...offsets, Float64Array.from(marks, ({ at }) => at)]
  const moments = new Float64Array(known.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const each of known) {
    moments.set(each, at)
    at += each.length
  }
  return moments
}

interface Changes {
  readonly count: number
  readonly persons: Uint32Array
  readonly at: Uint16Array
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** Of each person, one after the other, those by which they come to another class. */
function changesOf({ size, channels, states, standing, offsets }: Replay, line: ReplayLine): Changes {
  const most = size * channels.length
  const persons = new Uint32Array(most)
  const at = new Uint16Array(most)
  const before = new Uint8Array(most)
  const after = new Uint8Array(most)
  const classes = channels.map((channel) =>
    states.map((state) => peopleClasses.indexOf(classOfState(state, tellsMore(channel)))),
  )
  const classOn = (channel: number, person: number) =>
    classes[channel]?.[standing[channel]?.[person] as number] ?? pending
  const timeOn = (channel: number, person: number) => offsets[channel]?.[person] ?? 0
  let count = 0
  for (let person = 0; person < size; person += 1) {
    const settled = channels.map((_, channel) => channel).filter((channel) => classOn(channel, person) !== pending)
    if (settled.length > 1) settled.sort((one, other) => timeOn(one, person) - timeOn(other, person))
    let best = Number.POSITIVE_INFINITY
    let now = pending
    for (const [index, channel] of settled.entries()) {
      best = Math.min(best, classOn(channel, person))
      const isLast = index + 1 === channels.length
      const next = isLast ? best : Math.min(best, pending)
      if (next === now) continue
      persons[count] = person
      at[count] = line.stepOf(timeOn(channel, person))
      before[count] = now
      after[count] = next
      now = next
      count += 1
    }
  }
  return { count, persons, at, before, after }
}

/** The same by step; `ends` says of each step how many there are until then. */
function inOrder({ count, persons, at, before, after }: Changes) {
  const ends = new Uint32Array(steps + 1)
  for (let index = 0; index < count; index += 1) ends[at[index] as number] = (ends[at[index] as number] as number) + 1
  const next = new Uint32Array(steps + 1)
  for (let step = 1; step <= steps; step += 1) {
    next[step] = ends[step - 1] as number
    ends[step] = (ends[step] as number) + (next[step] as number)
  }
  const ordered = { persons: new Uint32Array(count), before: new Uint8Array(count), after: new Uint8Array(count), ends }
  for (let index = 0; index < count; index += 1) {
    const step = at[index] as number
    const place = next[step] as number
    next[step] = place + 1
    ordered.persons[place] = persons[index] as number
    ordered.before[place] = before[index] as number
    ordered.after[place] = after[index] as number
  }
  return ordered
}
