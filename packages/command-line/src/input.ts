/** What is typed, or stands in a file, or comes in from another program. */
import { readFile } from 'node:fs/promises'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** `-` stands for stdin, its last line break left out. */
export async function typedOrPiped(text: string, { input }: Terminal): Promise<string> {
  return text === '-' ? (await piped(input)).replace(/\r?\n$/, '') : text
}

/** A file, or stdin for `-`. @throws UsageError when it cannot be read */
export async function fileOrPiped(file: string, { input }: Terminal): Promise<string> {
  if (file === '-') return piped(input)
  return (await readNamed(file)).toString('utf8')
}

const whyUnread: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

/** @throws UsageError when it cannot be read */
export async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new UsageError(`cannot read ${file}: ${whyUnread[code] ?? code}`)
  }
}

/** The same as it is, whatever its characters are written in. @throws UsageError when it cannot be read */
export const bytesOrPiped = (file: string, { input }: Terminal): Promise<Buffer> =>
  file === '-' ? pipedBytes(input) : readNamed(file)

const piped = async (input: Terminal['input']): Promise<string> => new TextDecoder().decode(await pipedBytes(input))

async function pipedBytes(input: Terminal['input']): Promise<Buffer> {
  if (!input) throw new UsageError('there is nothing on stdin: name a file instead of -')
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
