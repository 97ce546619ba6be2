/** Waves of a message that wait, as its hash holds them: written by lua/defer.lua, read here for whoever looks at the history. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { wordsIn } from '@courier-fleet/words'

type Waiting = NonNullable<HistoryView['waiting']>

/** @returns the earliest first; `undefined` when nobody waits */
export function waitingIn(hash: Readonly<Record<string, string>>): Waiting | undefined {
  const numbers = (hash.waiting ?? '').split(' ').filter(Boolean)
  const all = numbers.flatMap((number) => {
    const text = hash[`wave:${number}`]
    return text === undefined ? [] : [readWave(text)]
  })
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
function readWave(text: string): Waiting[number] {
  const [leg = '', cause, dueMs, people] = text.split(' ')
  const at = new Date(Number(dueMs)).toISOString()
  const [channel = leg] = leg.split('~')
  const words = wordsIn('en').causes[cause as WaveCause]
  return { at, people: Number(people), channel, cause: cause as WaveCause, words }
}
