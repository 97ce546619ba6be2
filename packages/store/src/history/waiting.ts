/** Waves of a message that wait, as its hash holds them: written by lua/defer.lua, read here for whoever looks at the history. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { en } from '@courier-fleet/words/en'

type Waiting = NonNullable<HistoryView['waiting']>

export interface Wave {
  readonly number: number
  readonly leg: string
  readonly cause: WaveCause
  readonly dueMs: number
  readonly people: number
}

export function wavesIn(hash: Readonly<Record<string, string>>): Wave[] {
  const numbers = (hash.waiting ?? '').split(' ').filter(Boolean)
  return numbers.flatMap((number) => {
    const text = hash[`wave:${number}`]
    return text === undefined ? [] : [readWave(Number(number), text)]
  })
}

/** @returns the earliest first; `undefined` when nobody waits */
export function waitingIn(hash: Readonly<Record<string, string>>): Waiting | undefined {
  // who is to be told of an edit that is to be made yet is among those who are to be edited
  const isSaidAlready = ({ leg, cause }: Wave) => cause === 'corrected' && leg.endsWith('~told')
  const all = wavesIn(hash)
    .filter((wave) => !isSaidAlready(wave))
    .map(tellWave)
  const waves = all.flatMap((wave) => (wave.cause === 'online' ? whoIsAwaited(wave, all, hash) : [wave]))
  return waves.length > 0 ? waves.sort((a, b) => a.at.localeCompare(b.at)) : undefined
}

/** People leave this wave one by one, and a field says how many are left; it is said once, of the last where there is another for a moment. */
function whoIsAwaited(wave: Waiting[number], all: Waiting, hash: Readonly<Record<string, string>>): Waiting {
  const last = all.filter(({ cause, channel }) => cause === 'online' && channel === wave.channel).at(-1)
  const people = Number(hash[`${wave.channel}:online`] ?? 0)
  return wave === last && people > 0 ? [{ ...wave, people }] : []
}

/** `<leg> <cause> <due> <people> <unless>` */
function readWave(number: number, text: string): Wave {
  const [leg = '', cause, dueMs, people] = text.split(' ')
  return { number, leg, cause: cause as WaveCause, dueMs: Number(dueMs), people: Number(people) }
}

function tellWave({ leg, cause, dueMs, people }: Wave): Waiting[number] {
  const [channel = leg] = leg.split('~')
  return { at: new Date(dueMs).toISOString(), people, channel, cause, words: en.causes[cause] }
}
