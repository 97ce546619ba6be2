/** Waves of a message that wait, as its hash holds them: written by lua/defer.lua, read here for whoever looks at the history. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { wordsIn } from '@courier-fleet/words'

type Waiting = NonNullable<HistoryView['waiting']>

/** @returns the earliest first; `undefined` when nobody waits */
export function waitingIn(hash: Readonly<Record<string, string>>): Waiting | undefined {
  const numbers = (hash.waiting ?? '').split(' ').filter(Boolean)
  const waves = numbers.flatMap((number) => {
    const text = hash[`wave:${number}`]
    return text === undefined ? [] : [readWave(text)]
  })
  return waves.length > 0 ? waves.sort((a, b) => a.at.localeCompare(b.at)) : undefined
}

/** `<leg> <cause> <due> <people> <unless>` */
function readWave(text: string): Waiting[number] {
  const [leg = '', cause, dueMs, people] = text.split(' ')
  const at = new Date(Number(dueMs)).toISOString()
  const [channel = leg] = leg.split('~')
  const words = wordsIn('en').causes[cause as WaveCause]
  return { at, people: Number(people), channel, cause: cause as WaveCause, words }
}
