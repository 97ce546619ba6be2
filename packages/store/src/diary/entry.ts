/** A page of a diary as lua/allow.lua writes it: what somebody was sent on one day of UTC. lua/README.md says what the bytes are. */
import { type HistoryKey, type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'

export interface DiaryEntry {
  /** when it was allowed, Unix ms */
  readonly atMs: number
  /** number of its type */
  readonly type: number
  /** a bit for each channel it was allowed on */
  readonly channels: number
  /** two processes have sent it to them: that one of them was refused proves nothing */
  readonly isContested: boolean
  /** of its text: 8 characters */
  readonly textHash: string
  /** position of the person in its audience */
  readonly ordinal: number
  /** history key; empty where the entry stands for several messages */
  readonly message: HistoryKey | ''
  /** how many messages it stands for */
  readonly weight: number
  /** as it is stored */
  readonly stored: Buffer
}

const headBytes = 20
const contested = 0x8000

/** In the order they were counted. @param dayMs start of the day */
export function parsePage(page: Buffer, dayMs: number): DiaryEntry[] {
  const entries: DiaryEntry[] = []
  for (let at = 0; at < page.length; ) {
    const end = at + 1 + (page[at] as number)
    entries.push(parseEntry(page.subarray(at, end), dayMs))
    at = end
  }
  return entries
}

export function parseEntry(stored: Buffer, dayMs: number): DiaryEntry {
  const channels = stored.readUInt16BE(6)
  const number = stored.readUInt32BE(16)
  const message = stored.toString('latin1', headBytes) as HistoryKey | ''
  return {
    atMs: dayMs + stored.readUInt32BE(1),
    type: stored.readUInt8(5),
    channels: channels & ~contested,
    isContested: (channels & contested) !== 0,
    textHash: stored.toString('latin1', 8, 16),
    ordinal: number,
    message,
    weight: message === '' ? number : 1,
    stored,
  }
}

/** The message of an entry that stands for one. */
export const refOfEntry = ({ message }: DiaryEntry): HistoryRef => parseHistoryKey(message)
