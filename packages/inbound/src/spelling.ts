/** When two spellings name the same thing, for people who type on a phone: case, blanks, hyphens, ё and alphabets aside. */

/** capital letters that look the same in both alphabets */
const lookalikes: Readonly<Record<string, string>> = {
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
  X: 'Х',
}

const cyrillic = [...'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ']
const latin = 'A B V G D E ZH Z I Y K L M N O P R S T U F KH TS CH SH SHCH - Y - E YU YA'.split(' ')
const sounds = new Map(cyrillic.map((letter, index) => [letter, (latin[index] as string).replace('-', '')]))

export interface Spelling {
  /** as it looks: look-alikes are Cyrillic */
  readonly look: string
  /** as it sounds: Latin, so that an id such as ivt-101 can be written ИВТ-101 */
  readonly sound: string
}

export function spellingOf(text: string): Spelling {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll('Ё', 'Е')
    .replace(/[^\p{L}\p{N}]/gu, '')
  const look = plain.replace(/[ABCEHKMOPTX]/g, (letter) => lookalikes[letter] as string)
  // a word all in Latin is meant so; in any other a Latin letter was taken for its look-alike
  const sound = /\p{Script=Cyrillic}/u.test(plain)
    ? [...look].map((letter) => sounds.get(letter) ?? letter).join('')
    : plain
  return { look, sound }
}

export function isSame(a: Spelling, b: Spelling): boolean {
  return a.look !== '' && (a.look === b.look || a.sound === b.sound)
}

/** Letters to change, add or leave out (Levenshtein), as it sounds. */
export function distance({ sound: a }: Spelling, { sound: b }: Spelling): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
