/** What is fixed at acceptance, packed as one string in `record:…`: the head of the audience, then JSON. */
import { headBytes } from './audience.ts'

export interface MessageRecord {
  readonly source: string
  readonly text: string
  readonly to: readonly string[]
  /** bytes an id in the audience */
  readonly width: number
  /** of a large audience; that of a small one is computed where it is asked for */
  readonly sha256: string | undefined
}

export function packRecord(record: MessageRecord, rows: Buffer): string {
  const { source, text, to, width, sha256 } = record
  const json = JSON.stringify(sha256 === undefined ? [source, text, to, width] : [source, text, to, width, sha256])
  return rows.toString('latin1', 0, headBytes) + json
}

export function parseRecord(packed: string): MessageRecord {
  const [source, text, to, width, sha256] = JSON.parse(packed.slice(packed.indexOf('['))) as [
    string,
    string,
    string[],
    number,
    string?,
  ]
  return { source, text, to, width, sha256 }
}
