/**
 * Characters of a name that nobody sees: controls, line ends, and those that turn a line around or take no room. By them one name looks
 * like another's, and the rest of a line in which it stands is read backwards. Free of zod, so that whoever checks a name may load it.
 */

/** Scripts whose words are not spelled without joiners. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
const letter = `[${joining.map((script) => `\\p{Script=${script}}`).join('')}]`
const picture = '\\p{Extended_Pictographic}'

/** Joiners stay where they are seen: inside a word of these scripts, and U+200D between two parts of one emoji. */
const hidden = new RegExp(
  `(?<=${letter})[\\u200C\\u200D](?=${letter})|(?<=[${picture}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=${picture})|([\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}])`,
  'gu',
)
const shownBefore = 20

/** @returns which is the first, and where, to be said after what the field is called; undefined where there is none */
export function hiddenIn(name: string): string | undefined {
  for (const { 1: found, index } of name.matchAll(hidden)) {
    if (found === undefined) continue
    const code = (found.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
    const before = [...name.slice(0, index)].slice(-shownBefore).join('')
    const where = before === '' ? 'at its beginning' : `after "${before}"`
    return `has the character U+${code} ${where}: control characters, line ends and what nobody sees may not be in a name`
  }
  return undefined
}
