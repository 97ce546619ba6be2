/** A table of people and what a text says to each of them: CSV as spreadsheets write it. */
import { parseCsv } from './parse-csv.ts'
import { UsageError } from './usage-error.ts'

export interface RecipientValues {
  readonly person: string
  readonly fields: Record<string, string>
}

const wanted = 'a first line with the column person and one for each field, such as person,room'

/** An empty cell is no value. What ids and fields may be, the service says. @throws UsageError */
export function readRecipients(text: string): RecipientValues[] {
  const [head = [], ...rows] = parseCsv(text)
  const names = head.map((name) => name.trim())
  const at = names.indexOf('person')
  if (at < 0) throw new UsageError(`the table of recipients needs ${wanted}`)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`two columns of the table are called ${twice}`)
  const found = rows.map((row, index) => {
    const person = (row[at] ?? '').trim()
    if (person === '') throw new UsageError(`row ${index + 2} of the table names no person`)
    const cells = names.flatMap((name, column) => {
      const value = (row[column] ?? '').trim()
      return column === at || name === '' || value === '' ? [] : [[name, value] as const]
    })
    return { person, fields: Object.fromEntries(cells) }
  })
  if (found.length === 0) throw new UsageError('the table of recipients names nobody')
  return found
}
