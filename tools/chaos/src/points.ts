/**
 * The numbered points of the send path. Every `await` of it is a request to Redis or to the provider, so the instants
 * between two awaits are told apart from outside: a request that has left and was not heard, or one whose answer was not.
 */
import type { ChannelName } from '@courier-fleet/channels'
import { scriptShas } from '@courier-fleet/launch'
import type { Line, Trap } from '@courier-fleet/testkit/link'

export interface Point {
  /** as docs/faults.md counts them */
  readonly number: number
  readonly name: string
  readonly link: 'redis' | 'provider'
  readonly moment: Trap['moment']
  /** one of these is in the request; absent: any request, to a provider any send */
  readonly holds?: readonly string[]
  /** one of these is in what the process has to have asked before */
  readonly since?: readonly string[]
}

/** in the order in which a message meets them; each is a step of which the request, or the answer, is lost */
const steps: readonly (readonly [name: string, link: Point['link'], holds?: readonly string[]])[] = [
  ['wake', 'redis', scriptShas('wake')],
  ['claim', 'redis', ['xreadgroup']],
  ['split', 'redis', scriptShas('split')],
  ['read the audience', 'redis', ['audience:{']],
  ['record', 'redis', scriptShas('record')],
  ['send', 'provider'],
  ['index the id', 'redis', scriptShas('index-ids')],
  ['report', 'redis', scriptShas('report')],
  ['defer', 'redis', scriptShas('defer')],
  ['renew', 'redis', scriptShas('renew')],
  ['take over', 'redis', ['xautoclaim']],
  ['allow', 'redis', scriptShas('allow')],
  ['contest', 'redis', scriptShas('contest')],
  ['give back', 'redis', scriptShas('give-back')],
  ['forget', 'redis', scriptShas('forget')],
]

export const points: readonly Point[] = steps.flatMap(([name, link, holds], index) =>
  (['before', 'after'] as const).map((moment, later) => ({
    number: 2 * index + later + 1,
    name: `${moment} ${name}`,
    link,
    moment,
    ...(holds === undefined ? {} : { holds }),
  })),
)

/** The narrow places: between the mark, the send and the record a crash leaves something only the provider knows. */
export const narrow = points.filter(({ name }) => / (record|send)$/.test(name))

const pointAt = (name: string) => points.find((point) => point.name === name) as Point
/** Somebody whom a rule counts may just have been marked: whoever takes over contests it. */
const marked = {
  ...pointAt('after record'),
  name: 'after record, once it has asked to allow',
  since: scriptShas('allow'),
}
/**
 * Where rules count, in an order in which one death makes the next possible: few processes come by, a contest only after somebody died
 * with people marked, and to forget only where nobody gave back.
 */
export const counting: readonly Point[] = [
  pointAt('before allow'),
  marked,
  pointAt('before contest'),
  pointAt('before give back'),
  pointAt('before forget'),
  pointAt('after give back'),
  pointAt('after allow'),
  marked,
  pointAt('after contest'),
  pointAt('before give back'),
  pointAt('after forget'),
]

/** what a trap waits for; whoever has not come by until then is not waited for any longer */
export const trapMs = 1500
/** as long, where a run is about one point only: each kill is to be there, also on a busy machine */
export const onlyPointTrapMs = 20_000
/** as long, where all couriers are waited for at once */
export const countingTrapMs = 45_000

const submitSm = 4

/** SMPP 3.4, 3.2: each PDU begins with its length and its command, four octets each */
function submitsSms(sent: Buffer): boolean {
  for (let at = 0; at + 8 <= sent.length; at += Math.max(8, sent.readUInt32BE(at))) {
    if (sent.readUInt32BE(at + 4) === submitSm) return true
  }
  return false
}

/** Whether these bytes to a provider are a send: a courier also signs in, and asks whether the provider is there. Telegram's are encrypted. */
const isSend: Readonly<Partial<Record<ChannelName, (sent: Buffer) => boolean>>> = {
  vk: (sent) => sent.includes('/execute'),
  sms: submitsSms,
  http: (sent) => sent.includes('POST '),
}

/** Where a trap is: its moment, and the requests it counts. */
interface Place {
  readonly moment: Trap['moment']
  isOne(sent: Buffer): boolean
}

const hasOne = (sent: Buffer, some: readonly string[]) => some.some((each) => sent.includes(each))

/** @param channel of the courier, for a point at its provider */
export function placeOf(
  { moment, holds, since }: Pick<Point, 'moment' | 'holds' | 'since'>,
  channel?: ChannelName,
): Place {
  let hasAsked = since === undefined
  if (holds !== undefined)
    return {
      moment,
      isOne(sent) {
        hasAsked ||= since !== undefined && hasOne(sent, since)
        return hasAsked && hasOne(sent, holds)
      },
    }
  return { moment, isOne: (channel && isSend[channel]) ?? (() => true) }
}

/** Arms a trap for the n-th request of this place. @returns takes it away again */
export function armAt({ moment, isOne }: Place, link: Line, nth: number, spring: Trap['spring']): () => void {
  let left = nth
  return link.arm({
    moment,
    matches(sent) {
      if (!isOne(sent)) return false
      left -= 1
      return left <= 0
    },
    spring,
  })
}
