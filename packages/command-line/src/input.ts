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

async function piped(input: Terminal['input']): Promise<string> {
  if (!input) throw new UsageError('there is nothing on stdin: name a file instead of -')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of input) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
