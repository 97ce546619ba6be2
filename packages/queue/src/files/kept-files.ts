/** A message is moved, or sent again, and its links are what they were when it was accepted: they must be good when the last of it may go out. */
import { type MessageFile, Problem } from '@courier-fleet/api-types'

/** @param endMs Unix ms. @param field of the body that says so. @throws Problem 409 `files-end-first` */
export function requireKeptFiles(files: readonly MessageFile[] | undefined, endMs: number, field?: string): void {
  const first = files?.find(({ until }) => Date.parse(until) < endMs)
  if (!first) return
  const detail = `its file ${first.name} is kept until ${first.until}, and by then it may still be going out: send another message, with the file uploaded anew`
  throw new Problem(409, 'files-end-first', detail, field)
}
