/** Puts the parts of long messages together again. */

export interface Part {
  /** what the parts of one message have in common: sender, recipient, reference */
  readonly message: string
  /** from 1 */
  readonly number: number
  readonly total: number
}

/** Messages that lack a part are kept until this many others have begun after them. */
const maxIncomplete = 10_000

export interface Reassembly {
  /** The whole text once no part is missing; a part that comes again replaces itself. */
  add(part: Part | undefined, text: string): string | undefined
}

export function createReassembly(): Reassembly {
  const incomplete = new Map<string, Map<number, string>>()

  return {
    add(part, text) {
      if (!part || part.total <= 1) return text
      const id = `${part.message} ${part.total}`
      const parts = incomplete.get(id) ?? new Map<number, string>()
      parts.set(part.number, text)
      incomplete.set(id, parts)
      if (parts.size < part.total) {
        for (const oldest of incomplete.keys()) {
          if (incomplete.size <= maxIncomplete) break
          incomplete.delete(oldest)
        }
        return undefined
      }
      incomplete.delete(id)
      return [...parts.keys()]
        .sort((a, b) => a - b)
        .map((number) => parts.get(number))
        .join('')
    },
  }
}

/** Reads the part out of the concatenation elements (8 and 16 bit reference) of a user data header. */
export function partOf(elements: readonly Uint8Array[], between: string): Part | undefined {
  for (const element of elements) {
    const wide = element[0] === 0x08 && element.length === 6
    if (!wide && !(element[0] === 0x00 && element.length === 5)) continue
    const [reference, total, number] = wide
      ? [(element[2] as number) * 256 + (element[3] as number), element[4], element[5]]
      : [element[2], element[3], element[4]]
    if (!number || !total || number > total) return undefined
    return { message: `${between} ${wide ? 16 : 8} ${reference}`, number, total }
  }
  return undefined
}
