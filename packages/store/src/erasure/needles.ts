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

/** of the audit: all numbers that they say count something, but what stands in quotes */
const countingOnly = /^(settings|receipts|shards|people|import)\./
/** how many, which version, when */
const counts = /\d{4}-\d\d-\d\dT[\d:.]+|\bversion \d+|\d[\d,]* (?:person|people|messages|bytes)\b/g

/** Likewise, of what a line of the audit says: where their id is a number, other numbers are nobody. */
export function namesInLine(person: string): (action: string, text: string) => boolean {
  const names = namesPerson(person)
  if (/[A-Za-z]/.test(person)) return (_action, text) => names(text)
  return (action, text) =>
    countingOnly.test(action) ? text.includes(JSON.stringify(person)) : names(text.replace(counts, ''))
}
