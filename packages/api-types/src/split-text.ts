/** UTF-16 units that the text of a message may have. */
export const maxTextLength = 20_000

/**
 * A text in pieces of at most `limitUtf16` UTF-16 units, none of it lost: the pieces joined give the text back, but for a
 * piece of nothing but blanks, which no provider takes. Seams are put after a paragraph, a line or a word where there is
 * one, and never inside a character as people see it, unless that alone is longer than the limit.
 * @throws RangeError when the limit is below 2, for no surrogate pair would fit
 */
export function splitText(text: string, limitUtf16: number): string[] {
  if (limitUtf16 < 2) throw new RangeError(`a piece must hold at least 2 UTF-16 units, not ${limitUtf16}`)
  const pieces: string[] = []
  let start = 0
  while (text.length - start > limitUtf16) {
    const end = start + seamIn(text.slice(start, start + limitUtf16 + 1), limitUtf16)
    pieces.push(text.slice(start, end))
    start = end
  }
  pieces.push(text.slice(start))
  return pieces.length === 1 ? pieces : pieces.filter((piece) => piece.trim() !== '')
}

/** Where to cut, 1 … limit. The window shows one unit beyond the limit, so that a word ending just there is seen to end. */
function seamIn(window: string, limit: number): number {
  const half = limit / 2
  const paragraph = window.lastIndexOf('\n\n', limit - 2) + 2
  if (paragraph > half) return paragraph
  const line = window.lastIndexOf('\n', limit - 1) + 1
  if (line > half) return line
  return lastWordEnd(window, limit) || lastCharacterEnd(window, limit)
}

function lastWordEnd(window: string, limit: number): number {
  if (/\s/.test(window.charAt(limit))) return limit
  for (let i = limit - 1; i >= 0; i--) if (/\s/.test(window.charAt(i))) return i + 1
  return 0
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function lastCharacterEnd(window: string, limit: number): number {
  const character = characters.segment(window).containing(limit)
  if (character && character.index > 0) return character.index
  const splitsPair = /[\uD800-\uDBFF]/.test(window.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(window.charAt(limit))
  return splitsPair ? limit - 1 : limit
}
