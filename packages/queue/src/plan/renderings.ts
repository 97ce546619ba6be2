/** What the people of a rehearsal would read of a text that is not the same for everybody, while they are looked at page by page. */
import { type Reader, type RehearsalView, type SmsParts, splitText } from '@courier-fleet/api-types'
import { channels, contentOn, renderedOn } from '@courier-fleet/channels'
import type { AskingWords } from '../acceptance/fitting-text.ts'
import { partsOn, wordsFor } from './paid-count.ts'

type TextView = NonNullable<RehearsalView['text']>
type Most = NonNullable<TextView['most']>

export interface Renderings {
  /** @param reachable the channels on which they can be reached */
  add(reader: Reader, ordinal: number, reachable: readonly string[]): void
  /** undefined where nobody was added */
  view():
    | {
        readonly most: Most
        readonly parts: number
        readonly encoding: SmsParts['encoding']
        readonly calls: Readonly<Record<string, number>>
      }
    | undefined
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const paid: readonly string[] = channels.filter(({ text }) => text.kind === 'sms-parts').map(({ name }) => name)

export function lengthOf(text: string): number {
  let length = 0
  for (const _ of graphemes.segment(text)) length += 1
  return length
}

export function createRenderings(words: AskingWords): Renderings {
  /** most people read what somebody before them does */
  const known = new Map<string, { readonly characters: number; readonly sms: SmsParts }>()
  let length: Most['length'] | undefined
  let most: Most['parts']
  let encoding: SmsParts['encoding'] = 'gsm'
  let all = 0
  const called = channels.flatMap((channel) => createCallCount(channel, words) ?? [])

  function measured(own: AskingWords): { characters: number; sms: SmsParts } {
    const found = known.get(own.text)
    if (found) return found
    const sizes = { characters: lengthOf(own.text), sms: partsOn(paid[0] ?? '', own) }
    if (known.size < maxKnown) known.set(own.text, sizes)
    return sizes
  }

  return {
    add(reader, ordinal, reachable) {
      const { characters, sms } = measured(wordsFor('', words, reader))
      if (!length || characters > length.characters) length = { person: reader.id, characters }
      for (const calls of called) if (reachable.includes(calls.channel)) calls.add(reader, ordinal)
      if (!reachable.some((channel) => paid.includes(channel))) return
      const { length: parts } = sms.parts
      all += parts
      if (most && parts <= most.parts) return
      most = { person: reader.id, parts }
      encoding = sms.encoding
    },
    view() {
      const calls = Object.fromEntries(
        called.flatMap(({ channel, count }) => (count() > 0 ? [[channel, count()]] : [])),
      )
      return length && { most: { length, ...(most ? { parts: most } : {}) }, parts: all, encoding, calls }
    },
  }
}

const maxKnown = 1_000

interface CallCount {
  readonly channel: string
  /** In the order of their ordinals. */
  add(reader: Reader, ordinal: number): void
  count(): number
}

/** Of a channel whose calls are each for some people in a row who read the same. Whoever is asked to confirm has the last piece for themselves. */
function createCallCount(
  { name, settings, text }: (typeof channels)[number],
  words: AskingWords,
): CallCount | undefined {
  const span = 'countsCalls' in settings ? settings.countsCalls : undefined
  if (span === undefined || text.kind !== 'pieces') return undefined
  let at = -1
  let texts = new Set<string>()
  let count = 0
  return {
    channel: name,
    add(reader, ordinal) {
      const own = contentOn(name, wordsFor(name, words, reader)).text
      if (Math.floor(ordinal / span) !== at) texts = new Set()
      at = Math.floor(ordinal / span)
      if (words.confirm) count += 1
      if (texts.has(own)) return
      texts.add(own)
      count += splitText(own, text.maxPieceUnits).length - (words.confirm ? 1 : 0)
    },
    count: () => count,
  }
}

/** As they would read it, without the sender line. */
export const previewFor = (words: AskingWords, reader: Reader): NonNullable<TextView['preview']> => ({
  person: reader.id,
  ...(reader.name === undefined ? {} : { name: reader.name }),
  text: renderedOn('', words, reader).text ?? words.text,
})
