/** What arrived, held against what was sent: the same for both sides. */

/** when each came, oldest first; more than once is once too often */
export type Arrivals<Name> = ReadonlyMap<Name, readonly number[]>

/** @param nameOf what a row stands for; undefined for rows that are none of ours */
export async function arrivalsOf<Row extends { readonly at: number }, Name>(
  rows: AsyncIterable<Row>,
  nameOf: (row: Row) => Name | undefined,
): Promise<Arrivals<Name>> {
  const arrivals = new Map<Name, number[]>()
  for await (const row of rows) {
    const name = nameOf(row)
    if (name === undefined) continue
    const times = arrivals.get(name)
    if (times) times.push(row.at)
    else arrivals.set(name, [row.at])
  }
  return arrivals
}

/** @returns what is wrong, in words; undefined when everything expected came once and nothing else came */
export function troubleOf<Name>(expected: Iterable<Name>, arrivals: Arrivals<Name>): string | undefined {
  let lost = 0
  let found = 0
  for (const name of expected) {
    if (arrivals.has(name)) found++
    else lost++
  }
  const strange = arrivals.size - found
  let doubled = 0
  for (const times of arrivals.values()) if (times.length > 1) doubled++
  const troubles = [lost && `${lost} lost`, doubled && `${doubled} doubled`, strange && `${strange} never sent`]
  return troubles.filter(Boolean).join(', ') || undefined
}

export function numbers(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_unused, index) => first + index)
}
