/** At least `length` UTF-16 units of numbered Russian words in lines and paragraphs, some with characters of two units. */
export function longText(length: number): string {
  let text = ''
  for (let i = 1; text.length < length; i++) {
    text += `слово${i}${i % 7 === 0 ? '🎓' : ''}`
    text += i % 90 === 0 ? '\n\n' : i % 15 === 0 ? '\n' : ' '
  }
  return text.trimEnd()
}

/** The text without white space: a split may leave out the blanks at its seams, and nothing else. */
export function seamless(text: string): string {
  return text.replace(/\s+/g, '')
}
