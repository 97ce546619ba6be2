/** What is fixed at acceptance, packed as one JSON string in `record:…`. */
export interface MessageRecord {
  readonly source: string
  readonly text: string
  readonly to: readonly string[]
  /** bytes an id in the audience */
  readonly width: number
  /** hex SHA-256 of the audience */
  readonly sha256: string
}

export function packRecord(record: MessageRecord): string {
  const { source, text, to, width, sha256 } = record
  return JSON.stringify([source, text, to, width, sha256])
}

export function parseRecord(json: string): MessageRecord {
  const [source, text, to, width, sha256] = JSON.parse(json) as [string, string, string[], number, string]
  return { source, text, to, width, sha256 }
}
