/** What somebody meant who wrote a name that is not known. Free of zod, so that a page may load it. */

/** The name that was probably meant: at most two letters away and half of them, or cut short. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, far: name.startsWith(word) ? 0 : distance(word, name) }))
    .sort((a, b) => a.far - b.far)
  const [first] = ranked
  return first && first.far <= Math.min(2, Math.floor(word.length / 2)) ? first.name : undefined
}

/** Letters to be inserted, removed, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i ? i : j)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = rows[i] as number[]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}
