/** A text that no channel of its message can take is refused at once; where one can, the others say so of each recipient. */
import { type Confirm, type Personal, Problem, smsPartsOf, textsOf } from '@courier-fleet/api-types'
import { channelNames, contentOn, findChannel, type MessageWords } from '@courier-fleet/channels'
import { askedOn } from '@courier-fleet/channels/asked'
import { type Redis, readChannels } from '@courier-fleet/store'

/** of a part of several: what GSM 03.38 cannot write has least room */
const roomOfPart = { gsm: 153, ucs2: 67 } as const

/** With what is asked for below it. */
export interface AskingWords extends MessageWords {
  readonly personal?: Personal | undefined
  readonly confirm?: Confirm | undefined
}

/** Of each of its texts, as they were written: what stands in their fields is split as every text is. */
const each = (words: AskingWords): AskingWords[] =>
  textsOf(words).map((text) => ({ ...words, text, personal: undefined }))

/** In words how much less than this a channel takes; `undefined` when it takes all of it, of one in several languages all of any. */
export function tooLongOn(channel: string, words: AskingWords): string | undefined {
  if (findChannel(channel)?.text.kind !== 'sms-parts') return undefined
  if (!words.personal) return isTooLongOn(channel, words)
  const all = each(words).map((one) => isTooLongOn(channel, one))
  return all.includes(undefined) ? undefined : all[0]
}

function isTooLongOn(channel: string, words: AskingWords): string | undefined {
  const limit = findChannel(channel)?.text
  if (limit?.kind !== 'sms-parts') return undefined
  const text = askedOn(channel, contentOn(channel, words).text, words.confirm)
  if (text.length <= limit.maxParts * roomOfPart.ucs2) return undefined
  const { parts, encoding } = smsPartsOf(text)
  if (parts.length <= limit.maxParts) return undefined
  const characters = limit.maxParts * roomOfPart[encoding]
  return `${channel} takes ${limit.maxParts} parts, which are ${characters} of such characters, and this needs ${parts.length}`
}

interface Fleet {
  readonly redis: Redis
  readonly shards: number
}

/** Nearly every text fits everywhere: of those nobody has to wait for anything. @param named by the sender; else it is for those in use. @throws Problem 422 `text-too-long` */
export function requireFittingText(
  fleet: Fleet,
  named: readonly string[] | undefined,
  words: AskingWords,
): Promise<void> | undefined {
  return channelNames.some((channel) => tooLongOn(channel, words)) ? requireOneFits(fleet, named, words) : undefined
}

async function requireOneFits(
  { redis, shards }: Fleet,
  named: readonly string[] | undefined,
  words: AskingWords,
): Promise<void> {
  const limits = (named ?? (await inUse(redis, shards))).map((channel) => tooLongOn(channel, words))
  if (limits.length === 0 || limits.includes(undefined)) return
  throw new Problem(
    422,
    'text-too-long',
    `no channel of this message takes such a long text: ${limits.join('; ')}`,
    'text',
  )
}

const inUse = async (redis: Redis, shards: number) =>
  [...(await readChannels(redis, shards))].filter(([, use]) => use === 'in-use').map(([channel]) => channel)
