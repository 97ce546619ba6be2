/** Newline-delimited JSON as it comes in, without ever holding more than a chunk and an unfinished line. */
import { Problem } from '@courier-fleet/api-types'

/** A line, numbered from 1 as an editor would: its value, or why it has none. */
export type Line =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: Problem }

const lineFeed = 0x0a

/** Yields the lines that each chunk completes, at most `maxLines` at a time; empty lines are counted and left out. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
  maxLines: number,
): AsyncGenerator<Line[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  let line = 0
  const tooLong = () => new Problem(413, 'too-large', `a line may have ${maxLineBytes} bytes`)

  const complete = (): Line | undefined => {
    line += 1
    const bytes = rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest)
    const long = restBytes > maxLineBytes
    rest = []
    restBytes = 0
    return long ? { line, problem: tooLong() } : parse(bytes, line)
  }

  for await (const chunk of chunks) {
    let lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); ; end = chunk.indexOf(lineFeed, start)) {
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end)
      restBytes += piece.length
      if (restBytes > maxLineBytes) rest = []
      else rest.push(piece)
      if (end < 0) break
      const done = complete()
      if (done) lines.push(done)
      start = end + 1
      if (lines.length < maxLines) continue
      yield lines
      lines = []
    }
    if (lines.length > 0) yield lines
  }
  const last = restBytes > 0 ? complete() : undefined
  if (last) yield [last]
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer, line: number): Line | undefined {
  try {
    const text = utf8.decode(bytes)
    return text.trim() === '' ? undefined : { line, value: JSON.parse(text) }
  } catch {
    return { line, problem: new Problem(400, 'bad-json', 'this line is not valid JSON in UTF-8') }
  }
}
