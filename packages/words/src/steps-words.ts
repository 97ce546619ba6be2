/** The steps of a message in words: before it is sent, and what each has done. */
import type { HistoryView, RehearsalView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { spanWords } from './limit-words.ts'
import { channelName } from './outcome-words.ts'
import { stepCostWords } from './spent-words.ts'
import { wordsIn } from './words-in.ts'

type Told = NonNullable<HistoryView['steps']>[number]
type Foretold = NonNullable<RehearsalView['steps']>[number]

const iso = (ms: number) => new Date(ms).toISOString()

/** `Telegram, VK` · `SMS, 10 minutes later` */
function nameOf(language: Language, { channels, after }: Pick<Told, 'channels' | 'after'>): string {
  const names = channels.map((channel) => channelName(language, channel)).join(', ')
  return after ? wordsIn(language).steps.later(names, spanWords(language, after)) : names
}

/** `Telegram, VK; SMS, 10 minutes later, only to people who have not confirmed it by then`: as somebody has set them. */
export const setSteps = (language: Language, steps: readonly Pick<Told, 'channels' | 'after' | 'unless'>[]): string =>
  steps
    .map((step) => {
      const name = nameOf(language, step)
      return step.unless ? `${name}, ${wordsIn(language).steps.unless[step.unless]}` : name
    })
    .join('; ')

/** `SMS, 10 minutes later: 22 sent, spent 44 ₽, not needed by 268.`, of each step. @param moment Unix ms, on the clock of the reader */
export function stepsWords(language: Language, steps: readonly Told[], moment = iso): string[] {
  const { steps: words } = wordsIn(language)
  return steps.map((step, index) => {
    const { sent, spared, waiting, reached = 0, at, cost } = step
    const level = steps[index + 1]?.unless
    const parts = [
      ...(sent > 0 ? [words.sent(sent)] : []),
      // that it was sent has been said
      ...(level && level !== 'sent' && reached > 0 ? [words.reached[level](reached)] : []),
      ...(cost ? [stepCostWords(language, cost)] : []),
      ...(spared > 0 ? [words.spared(spared)] : []),
      ...(waiting > 0 ? [words.waiting(waiting, at && moment(Date.parse(at)))] : []),
    ]
    return `${nameOf(language, step)}: ${parts.join(', ') || words.nobody}.`
  })
}

/** `SMS, 10 minutes later, only to people who have not confirmed it by then: 312 people at most; 14 need not wait: they have no other contact.`, of each step. */
export function foretoldSteps(language: Language, steps: readonly Foretold[]): string[] {
  const { steps: words } = wordsIn(language)
  return steps.map((step) => {
    const { unless, atMost, atOnce } = step
    const name = nameOf(language, step)
    return unless ? words.foretold(name, words.unless[unless], atMost, atOnce) : words.first(name, atMost)
  })
}
