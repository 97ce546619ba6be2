import {
  type Ceiling,
  type Confirm,
  type HistoryRef,
  type MessageData,
  type MessageFile,
  type MessageRules,
  memberOf,
  type Personal,
  type PersonalText,
  type Reader,
  type Recheck,
} from '@courier-fleet/api-types'
import { type Content, contentOn, renderedOn } from '@courier-fleet/channels'
import { allOf, grouped } from '@courier-fleet/process'
import {
  type Correction,
  followUpText,
  headBytes,
  idsInHead,
  keys,
  type MessageRecord,
  parseRecord,
  type Redis,
  secretMark,
  urlsIn,
  type WhoseOnline,
} from '@courier-fleet/store'
import type { Claim } from '../claims/claim.ts'
import { joinTexts } from './join-texts.ts'

/** What a courier needs to know of a message, as its channel carries it; but for its text it is fixed at acceptance. */
export interface Message extends Content {
  /** bytes an id in the audience */
  readonly width: number
  /** the first of the audience, as many as the record holds: all of a small one */
  readonly firstPeople: readonly string[]
  /** as its sender wrote it: not cut, and without the sender line */
  readonly said: {
    readonly text: string
    readonly subject?: string | undefined
    readonly files?: readonly MessageFile[] | undefined
  }
  /** of a text that is not the same for everybody: what one person is sent, or the fields without a value for them */
  readonly contentFor?: (reader: Reader) => Rendered
  /** what it says of the rules about people; absent where that is nothing */
  readonly rules?: MessageRules | undefined
  /** asked right before it is sent */
  readonly recheck?: Recheck | undefined
  readonly online?: WhoseOnline | undefined
  /** its people are asked to confirm it */
  readonly confirm?: Confirm | undefined
  /** what its SMS may come to */
  readonly ceiling?: Ceiling | undefined
  /** of the sender, where a day of theirs had a budget when it was accepted */
  readonly role?: string | undefined
  /** for programs, beside the text */
  readonly data?: MessageData | undefined
  /** number of the text; a mark with an older one than the newest is refused */
  readonly version: number
  /** of the others whose texts stand below its own, as lua/record.lua has them; absent: none do */
  readonly texts?: string
  /** the text of a message of its own to whoever has an older one, and no edit reaches; absent: they are sent none */
  readonly followUp?: string
  /** of one that was corrected: what somebody reads of an earlier text of it; undefined where a field has no value for them */
  readonly earlierFor?: (earlier: PersonalText, reader: Reader) => string | undefined
  /** it is withdrawn: the version of the legs that take it back */
  readonly recall?: number
  /** of a message to URLs, by the ids of its recipients: it is for nobody of the directory, and no rule about people holds for it */
  readonly urls?: ReadonlyMap<string, string> | undefined
}

/** What one person is sent. */
export interface Written {
  readonly content: Content
  /** what is counted: the same on every channel */
  readonly said: Message['said']
  /** as `followUp` of the message */
  readonly followUp?: string
  readonly missing?: never
}

export type Rendered = Written | { readonly missing: readonly string[] }

export interface Messages {
  /** The messages of claims, in order, with the newest text; undefined for one that is gone. A command a shard, and one for each message that is remembered. */
  load(claims: readonly Claim[]): Promise<(Message | undefined)[]>
}

const maxRemembered = 256
/** read in one command: Redis does nothing else meanwhile */
const maxRead = 500

/** Messages that come in pieces, for each piece of a message asks for it again. */
function createRemembered(redis: Redis) {
  const cache = new Map<string, Message>()
  const nameOf = (ref: HistoryRef) => `${ref.shard}:${memberOf(ref)}`
  const newestVersion = async (ref: HistoryRef) => Number((await redis.hget(keys.history(ref), 'version')) ?? 1)

  return {
    remember({ ref, to }: Claim, message: Message): Message {
      if (to * message.width <= headBytes) return message
      cache.set(nameOf(ref), message)
      if (cache.size > maxRemembered) cache.delete(cache.keys().next().value as string)
      return message
    },

    /** In order; undefined where it has another text by now. A mark with an older one is refused, but rules and costs go by the text before anybody is marked. */
    find(claims: readonly Claim[]): Promise<(Message | undefined)[]> {
      const newest = new Map<string, Promise<number>>()
      async function ifNewest(name: string, known: Message, ref: HistoryRef) {
        const version = newest.get(name) ?? newestVersion(ref)
        newest.set(name, version)
        return known.version >= (await version) ? known : undefined
      }
      return allOf(
        claims.map(({ ref }) => {
          const known = cache.get(nameOf(ref))
          return known && ifNewest(nameOf(ref), known, ref)
        }),
      )
    },
  }
}

/** Reads messages, with what the channel makes of them. */
export function createMessages(redis: Redis, channel: string): Messages {
  const { remember, find } = createRemembered(redis)

  async function read(claims: readonly Claim[]): Promise<(Message | undefined)[]> {
    const records = await redis.mget(...claims.map(({ ref }) => keys.record(ref)))
    return allOf(records.map((packed, index) => (packed === null ? undefined : open(packed, claims[index] as Claim))))
  }

  function open(packed: string, claim: Claim): Message | Promise<Message> {
    const record = parseRecord(packed)
    const firstPeople = idsInHead(packed, record.width)
    if (record.hasSecret || claim.carries) return inFull(record, claim, firstPeople)
    return remember(claim, messageOf(record, firstPeople))
  }

  function messageOf(record: MessageRecord, firstPeople: readonly string[]): Message {
    const { width, rules, recheck, online, confirm, text, subject, data, correction, ceiling, role, files, personal } =
      record
    // the spread last: V8 adds what follows one field by one, which takes twenty times as long (tools/bench/notes/burst.md)
    const message: Message = {
      width,
      said: { text, subject, files },
      rules,
      recheck,
      online,
      confirm,
      ceiling,
      role,
      data,
      urls: urlsIn(record.to),
      firstPeople,
      version: correction?.version ?? 1,
      ...contentOn(channel, record),
    }
    if (!correction && !personal) return message
    const changed = correction ? changedBy(channel, record, correction) : {}
    const each = personal && !correction?.isRecall ? { contentFor: contentsOf(channel, record, personal) } : {}
    return { ...message, ...changed, ...each }
  }

  /** With what stands elsewhere. */
  async function inFull(record: MessageRecord, claim: Claim, firstPeople: readonly string[]): Promise<Message> {
    const known = await withSecret(record, claim.ref)
    const joined = await joinTexts(redis, channel, claim, known)
    return remember(claim, { ...messageOf(known, firstPeople), ...joined })
  }

  /** One whose secret is gone is over, and Redis refuses every attempt at it. */
  async function withSecret(record: MessageRecord, ref: HistoryRef): Promise<MessageRecord> {
    if (!record.hasSecret) return record
    const secret = (await redis.get(keys.secret(ref))) ?? secretMark
    return { ...record, text: record.text.replace(secretMark, () => secret) }
  }

  return {
    async load(claims) {
      const messages = await find(claims)
      const missing = [...claims.keys()].filter((index) => messages[index] === undefined)
      const readSome = async (indexes: readonly number[]) => {
        const found = await read(indexes.map((index) => claims[index] as Claim))
        for (const [at, index] of indexes.entries()) messages[index] = found[at]
      }
      const reads: Promise<void>[] = []
      for (const own of grouped(missing, (index) => (claims[index] as Claim).ref.shard).values())
        for (let from = 0; from < own.length; from += maxRead) reads.push(readSome(own.slice(from, from + maxRead)))
      await Promise.all(reads)
      return messages
    },
  }
}

function contentsOf(channel: string, record: MessageRecord, personal: Personal): (reader: Reader) => Rendered {
  const { text, subject, files, correction } = record
  const following = followUpOf(record, correction)
  return (reader) => {
    const said = renderedOn('', { text, personal }, reader)
    if (said.missing) return said
    const rendered = renderedOn(channel, { text, personal }, reader)
    if (rendered.missing) return rendered
    const followUp = following && renderedOn(channel, following, reader).text
    return {
      content: contentOn(channel, { ...record, text: rendered.text }),
      said: { text: said.text, subject, files },
      ...(followUp === undefined ? {} : { followUp: contentOn(channel, { ...record, text: followUp }).text }),
    }
  }
}

const followUpOf = (written: PersonalText, { intro, intros }: Partial<Correction> = {}): PersonalText | undefined =>
  intro === undefined ? undefined : followUpText(written, { intro, intros })

/** What is known of a message beside its newest text. */
function changedBy(
  channel: string,
  record: MessageRecord,
  correction: Correction,
): Pick<Message, 'followUp' | 'recall' | 'earlierFor'> {
  if (correction.isRecall) return { recall: correction.version }
  const following = followUpOf(record, correction)
  const earlierFor = (earlier: PersonalText, reader: Reader) => {
    const { text } = renderedOn(channel, earlier, reader)
    return text === undefined ? undefined : contentOn(channel, { ...record, text }).text
  }
  return {
    earlierFor,
    ...(following ? { followUp: contentOn(channel, { ...record, text: following.text }).text } : {}),
  }
}
