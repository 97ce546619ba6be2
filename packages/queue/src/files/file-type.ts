/** What a file is, by its content: documents and images, and nothing that a computer would run or a browser would show as a page. */
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { fileTypeFromFile } from 'file-type'

export interface FileType {
  readonly type: string
  /** what a name of it ends with, the usual one first */
  readonly extensions: readonly string[]
}

const office = 'application/vnd.openxmlformats-officedocument.'
const open = 'application/vnd.oasis.opendocument.'
const known: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  [`${office}wordprocessingml.document`]: ['docx'],
  [`${office}spreadsheetml.sheet`]: ['xlsx'],
  [`${office}presentationml.presentation`]: ['pptx'],
  [`${open}text`]: ['odt'],
  [`${open}spreadsheet`]: ['ods'],
  [`${open}presentation`]: ['odp'],
  'application/rtf': ['rtf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic'],
}
/** the container of older office documents says nothing of what is in it: that the name must say */
const containers = { mime: 'application/x-cfb' } as const
const inContainers = new Map([
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
])
/** without any sign of what they are; they must be text */
const texts = new Map([
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
])

/** what is taken, for whoever gave something else */
export const takenTypes = [
  ...new Set([...Object.values(known).map(([usual]) => usual), ...inContainers.keys(), ...texts.keys()]),
].join(', ')

/** @returns undefined for what is not taken. @param name as it was given */
export async function typeOfFile(path: string, name: string): Promise<FileType | undefined> {
  const extension = extname(name).slice(1).toLowerCase()
  const found = await fileTypeFromFile(path)
  const extensions = found && known[found.mime]
  if (extensions) return { type: found.mime, extensions }
  if (found) {
    const type = found.mime === containers.mime ? inContainers.get(extension) : undefined
    return type === undefined ? undefined : { type, extensions: [extension] }
  }
  const type = texts.get(extension)
  return type !== undefined && (await isText(path)) ? { type, extensions: [extension] } : undefined
}

/** Whole characters in UTF-8, and none that no text has. */
async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const foreign = /[\0-\x08\x0b\x0e-\x1f]/
  try {
    for await (const chunk of createReadStream(path)) {
      if (foreign.test(decoder.decode(chunk as Buffer, { stream: true }))) return false
    }
    return !foreign.test(decoder.decode())
  } catch {
    return false
  }
}
