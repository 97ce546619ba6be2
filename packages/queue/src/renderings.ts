/** What the people of a rehearsal would read of a text that is not the same for everybody, while they are looked at page by page. */
import type { Reader, RehearsalView, SmsParts } from '@courier-fleet/api-types'
import { channels, renderedOn } from '@courier-fleet/channels'
import { partsOn, wordsFor } from './expected-sends.ts'
import type { AskingWords } from './fitting-text.ts'

type TextView = NonNullable<RehearsalView['text']>
type Most = NonNullable<TextView['most']>

export interface Renderings {
  /** @param reachable the channels on which they can be reached */
  add(reader: Reader, reachable: readonly string[]): void
  /** undefined where nobody was added */
  view(): { readonly most: Most; readonly parts: number; readonly encoding: SmsParts['encoding'] } | undefined
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

  function measured(own: AskingWords): { characters: number; sms: SmsParts } {
    const found = known.get(own.text)
    if (found) return found
    const sizes = { characters: lengthOf(own.text), sms: partsOn(paid[0] ?? '', own) }
    if (known.size < maxKnown) known.set(own.text, sizes)
    return sizes
  }

  return {
    add(reader, reachable) {
      const { characters, sms } = measured(wordsFor('', words, reader))
      if (!length || characters > length.characters) length = { person: reader.id, characters }
      if (!reachable.some((channel) => paid.includes(channel))) return
      const { length: parts } = sms.parts
      all += parts
      if (most && parts <= most.parts) return
      most = { person: reader.id, parts }
      encoding = sms.encoding
    },
    view: () => length && { most: { length, ...(most ? { parts: most } : {}) }, parts: all, encoding },
  }
}

const maxKnown = 1_000

/** As they would read it, without the sender line. */
export const previewFor = (words: AskingWords, reader: Reader): NonNullable<TextView['preview']> => ({
  person: reader.id,
  text: renderedOn('', words, reader).text ?? words.text,
})
