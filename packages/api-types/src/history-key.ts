/** The names of histories: the public key that clients keep and poll, and the same message inside its shard. */
import { Problem } from './problem.ts'

/** The sender of what the fleet says by itself (sign-in codes). Nobody may be called so, and nobody may read what it has sent. */
export const systemSender = 'system'

/** Public name of a history, `<NN>.<sender>.<id>`, the number of its shard first: what clients are given, keep and poll. */
export type HistoryKey = string & { readonly __brand: 'HistoryKey' }

export const classes = ['urgent', 'normal', 'bulk'] as const
export type MessageClass = (typeof classes)[number]

/** Ids of people, senders, groups and cohorts: no dot, colon, brace or blank, so that keys stay unambiguous. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/
export const channelPattern = /^[a-z][a-z0-9]{1,15}$/

/** A fleet has so many shards at most, named `00` … `99`, `100` … `255`; which of them a message lies in never changes. */
export const maxShards = 256

export interface HistoryRef {
  /** as shardName() gives it */
  readonly shard: string
  readonly sender: string
  readonly id: string
}

export const historyKeyPattern = /^(\d{2}|1\d{2}|2[0-4]\d|25[0-5])\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{8,40})$/

export function shardName(index: number): string {
  return String(index).padStart(2, '0')
}

/** All of so many. */
export function shardNames(shards: number): string[] {
  return Array.from({ length: shards }, (_unused, index) => shardName(index))
}

/** @throws Problem `bad-key` (400) when the text is not of the form of a history key */
export function parseHistoryKey(text: string): HistoryRef {
  const match = historyKeyPattern.exec(text)
  if (!match) throw new Problem(400, 'bad-key', `"${text.slice(0, 80)}" is not a history key (NN.sender.id)`, 'key')
  return { shard: match[1] as string, sender: match[2] as string, id: match[3] as string }
}

export function historyKeyOf(ref: HistoryRef): HistoryKey {
  return `${ref.shard}.${ref.sender}.${ref.id}` as HistoryKey
}

/** The same message inside its shard, as streams and the due set name it: `<sender>:<id>`. */
export function memberOf(ref: HistoryRef): string {
  return `${ref.sender}:${ref.id}`
}

export function refOfMember(shard: string, member: string): HistoryRef {
  const [sender, id] = member.split(':')
  return { shard, sender: sender as string, id: id as string }
}
