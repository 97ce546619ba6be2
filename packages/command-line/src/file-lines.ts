/** The files of a message, and where they are links. */
import type { MessageFileView } from '@courier-fleet/api-types'
import { plain } from './table.ts'

const kilobyte = 1024

/** `File plan.pdf (180 KB), as a link by sms, vk` */
export const fileLines = (files: readonly MessageFileView[]): string[] =>
  files.map(({ name, size, asLink }) => {
    const how = asLink.length > 0 ? `, as a link by ${asLink.join(', ')}` : ''
    return plain(`File ${name} (${Math.ceil(size / kilobyte)} KB)${how}`)
  })
