/** Whether a text says something of one person: their id as a word of its own, their name, or an address of theirs. */

export interface Whose {
  readonly person: string
  /** what they were called; empty where that is not known any more */
  readonly name: string
  readonly addresses: readonly string[]
}

/** shorter ones are in texts that mean something else */
const leastLength = 4

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Their id stands there, and not as a part of another. */
export function namesPerson(person: string): (text: string) => boolean {
  const pattern = new RegExp(`(?<![A-Za-z0-9_-])${literal(person)}(?![A-Za-z0-9_-])`)
  return (text) => pattern.test(text)
}

/** Of JSON, too, where some characters are escaped. */
export function tellsOf({ person, name, addresses }: Whose): (text: string) => boolean {
  const isNamed = namesPerson(person)
  const parts = [name, ...addresses].filter(({ length }) => length >= leastLength)
  const written = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
  return (text) => isNamed(text) || written.some((part) => text.includes(part))
}
