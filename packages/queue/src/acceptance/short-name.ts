/** How the name of a person is shortened in front of a text: Гусева Анна Петровна, Анна Петровна Гусева → Гусева А. П. */

const patronymic = /^\p{Lu}\p{Ll}+(?:вич|вна|ична|инична)$/u
const surname = /^\p{Lu}[\p{L}-]*(?:ов|ова|ев|ева|ёв|ёва|ин|ина|ын|ына|ский|ская|цкий|цкая|ко|ук|юк|ян)$/u

/** As it stands where nobody can know which part is the surname: a wrong one would name somebody else. */
export function shortNameOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const at = surnameIn(words)
  if (at === undefined) return words.join(' ')
  const initials = words.filter((_, index) => index !== at).map((word) => `${[...word][0]}.`)
  return [words[at], ...initials].join(' ')
}

/** The index of the surname: beside a patronymic the word that is neither, else the only word that looks like one. */
function surnameIn(words: readonly string[]): number | undefined {
  if (words.length === 3) {
    const at = words.findIndex((word) => patronymic.test(word))
    return at === 2 ? 0 : at === 1 ? 2 : undefined
  }
  if (words.length !== 2) return undefined
  const alike = words.map((word) => surname.test(word))
  return alike[0] === alike[1] ? undefined : alike.indexOf(true)
}
