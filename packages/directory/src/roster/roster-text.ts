/** From the bytes of a roster to its lines. Everything is read before anything is written, so a broken file changes nothing. */
import { isUtf8 } from 'node:buffer'
import { Problem } from '@courier-fleet/api-types'

/** about 300 000 people */
export const maxRosterBytes = 32 * 1024 * 1024

/** @throws Problem 422 `bad-csv` on anything but UTF-8 text · 413 `too-large` */
export async function readRoster(csv: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of csv) {
    size += chunk.byteLength
    if (size > maxRosterBytes) {
      throw new Problem(413, 'too-large', `a roster may have ${maxRosterBytes >> 20} MiB at most: split it`)
    }
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const wrong = encodingOf(bytes)
  if (wrong) throw new Problem(422, 'bad-csv', `${wrong}; save the file as "CSV UTF-8"`)
  return new TextDecoder('utf-8').decode(bytes) // drops the byte order mark
}

/** What the bytes are, when they are not UTF-8. */
function encodingOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 4)
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return 'the file is UTF-16'
  if (start === 'PK\x03\x04') return 'the file is an Excel workbook or another archive, not text'
  if (bytes.includes(0)) return 'the file has zero bytes, as in UTF-16 or in a file that is not text'
  if (isUtf8(bytes)) return undefined
  const { line, text } = firstBadLine(bytes)
  return `line ${line} is not UTF-8${looksCyrillic(text) ? ' but looks like windows-1251' : ''}`
}

function firstBadLine(bytes: Buffer): { line: number; text: Buffer } {
  let from = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, from)
    const text = bytes.subarray(from, end < 0 ? bytes.length : end)
    if (end < 0 || !isUtf8(text)) return { line, text }
    from = end + 1
  }
}

function looksCyrillic(bytes: Buffer): boolean {
  const foreign = new TextDecoder('windows-1251').decode(bytes).match(/[^\0-\x7f]/g) ?? []
  const cyrillic = foreign.filter((letter) => /[А-яЁё«»—№]/.test(letter))
  return cyrillic.length > 0.8 * foreign.length
}

export interface Line {
  /** from 1, as editors count */
  readonly line: number
  readonly text: string
}

/** The lines that hold anything; a person is one line, so a line break inside quotes is not understood. */
export function* linesOf(text: string): Generator<Line> {
  const ends = /\r\n|\n|\r/g
  let from = 0
  for (let line = 1; ; line++) {
    const end = ends.exec(text)
    const content = text.slice(from, end?.index)
    if (!/^[\s,;"]*$/.test(content)) yield { line, text: content }
    if (!end) return
    from = ends.lastIndex
  }
}
