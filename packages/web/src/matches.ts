/** Search as people type it: every word begins some word of a name, case and ё/е aside. */

export const plain = (text: string) => text.toLocaleLowerCase().replaceAll('ё', 'е')

export function matches(wanted: string, ...names: readonly string[]): boolean {
  const parts = plain(names.join(' ')).split(/[\s-]+/)
  const whole = names.map(plain)
  return plain(wanted)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => parts.some((part) => part.startsWith(word)) || whole.some((name) => name.includes(word)))
}
