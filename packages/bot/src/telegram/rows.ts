/** Buttons in rows of which a phone of 360 px shows the labels whole. */
import { shortened } from '../texts/words.ts'

/** characters of a label, by how many stand beside it */
const widths = [36, 18, 11]

const fits = (row: readonly { readonly label: string }[]) =>
  row.every(({ label }) => [...label].length <= (widths[row.length - 1] ?? 0))

/** Of a row that is too narrow for its labels two stand beside each other where they can, and one alone where not. */
export function inRows<T extends { readonly label: string }>(rows: readonly (readonly T[])[]): T[][] {
  return rows.flatMap((row) => (fits(row) ? [[...row]] : broken(row)))
}

function broken<T extends { readonly label: string }>([first, second, ...others]: readonly T[]): T[][] {
  if (!first) return []
  if (second && fits([first, second])) return [[first, second], ...broken(others)]
  const alone = { ...first, label: shortened(first.label, widths[0] as number) }
  return [[alone], ...broken(second ? [second, ...others] : [])]
}
