/** The scripts that count what people were sent: each in the slot of the people, of whom one call takes a bucket's. */
import { type HistoryRef, historyKeyOf } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import { type CalendarDay, type CountPolicy, type CountRule, reachOf } from '@courier-fleet/rules'
import {
  bucketOf,
  type DiaryEntry,
  defineScript,
  keys,
  listReply,
  numberReply,
  pageName,
  pageStart,
  pagesSince,
  parseEntry,
  type Redis,
  tagOfBucket,
} from '@courier-fleet/store'

/** A message that is counted. */
export interface Counting {
  readonly ref: HistoryRef
  readonly policy: CountPolicy
  /** of the channel, in the diary */
  readonly channelBit: number
  /** 8 ASCII characters */
  readonly textHash: string
}

export interface Asked {
  readonly person: string
  readonly ordinal: number
}

/** Why a message may not go to somebody now. */
export interface Refusal {
  readonly rule: CountRule
  readonly untilMs: number
  /** of those in its way, so many are too many */
  readonly tooMany: number
  readonly inTheWay: readonly DiaryEntry[]
}

/** people a call: Redis does nothing else meanwhile */
const maxPeople = 200

/** Somebody who waited is asked about anew: so far back the message's own entry is looked for. */
const ownReachMs = 86_400_000

const allowScript = defineScript('allow', {
  keys: ['newest'],
  args: [
    'tag',
    'daysBefore',
    'newestMs',
    'now',
    'keptMs',
    'message',
    'type',
    'channel',
    'textHash',
    'rules',
    'days',
    'people',
    'ordinals',
    'dayOf',
  ],
  reply: listReply(listReply((part) => part)),
})
const contestScript = defineScript('contest', {
  keys: ['newest'],
  args: ['tag', 'daysBefore', 'message'],
  reply: numberReply,
})
const giveBackScript = defineScript('give-back', {
  keys: ['newest'],
  args: ['tag', 'daysBefore', 'message', 'channel'],
  reply: numberReply,
})
const forgetScript = defineScript('forget', { keys: ['page'], args: [], reply: numberReply })

/** Some people of one bucket, as many as a call takes. */
interface Call {
  readonly bucket: number
  readonly people: string[]
  /** where each stands in the list they are from */
  readonly rows: number[]
}

function callsFor<T>(list: readonly T[], personOf: (each: T) => string): Call[] {
  const calls: Call[] = []
  const open: Call[] = []
  for (let row = 0; row < list.length; row += 1) {
    const person = personOf(list[row] as T)
    const bucket = bucketOf(person)
    let call = open[bucket]
    if (!call || call.rows.length === maxPeople) {
      call = { bucket, people: [], rows: [] }
      open[bucket] = call
      calls.push(call)
    }
    call.people.push(person)
    call.rows.push(row)
  }
  return calls
}

function pageArguments(bucket: number, sinceMs: number, nowMs: number) {
  const [newest = nowMs, ...before] = pagesSince(sinceMs, nowMs)
  const newestPage = keys.diary(bucket, pageName(newest))
  return { newest, newestPage, tag: tagOfBucket(bucket), daysBefore: before.map(pageName).join(' ') }
}

export type DiaryScripts = ReturnType<typeof bindDiaryScripts>

export function bindDiaryScripts(redis: Redis) {
  return {
    /**
     * Counts the message for whoever may be sent it.
     * @param today of each of them; none where no rule is about days
     * @returns for each, in order, why not; undefined where they may
     */
    async allow(
      counting: Counting,
      people: readonly Asked[],
      today: readonly CalendarDay[],
      nowMs: number,
    ): Promise<(Refusal | undefined)[]> {
      const { rules } = counting.policy
      const days = [...new Set(today)]
      const earliest = nowMs - Math.max(reachOf(rules), ownReachMs)
      const args = { ...messageArguments(counting), ...ruleArguments(rules, days), now: nowMs }
      const answers = new Array<Refusal | undefined>(people.length)
      await Promise.all(
        callsFor(people, ({ person }) => person).map(async (call) => {
          const { bucket, rows } = call
          const { newest, newestPage, ...pages } = pageArguments(bucket, earliest, nowMs)
          const own = peopleArguments(call, people, days.length > 1 ? today : [], days)
          const refused = await allowScript(
            redis,
            { newest: newestPage },
            { ...args, ...pages, ...own, newestMs: newest },
          )
          for (const [person, ...refusal] of refused)
            answers[rows[(person as number) - 1] as number] = refusalOf(refusal, rules, newest)
        }),
      )
      return answers
    },

    /** Says that these are sent to again, whom another process has marked. @param sinceMs when that may have been counted */
    async contest({ ref }: Pick<Counting, 'ref'>, people: readonly string[], sinceMs: number, nowMs: number) {
      await Promise.all(
        callsFor(people, (person) => person).map(({ bucket, people: own }) => {
          const { newestPage, tag, daysBefore } = pageArguments(bucket, sinceMs, nowMs)
          return contestScript(redis, { newest: newestPage }, { tag, daysBefore, message: historyKeyOf(ref) }, own)
        }),
      )
    },

    /** These were certainly not sent it on this channel. @returns how many entries are gone */
    async giveBack(
      { ref, channelBit }: Pick<Counting, 'ref' | 'channelBit'>,
      people: readonly string[],
      sinceMs: number,
      nowMs: number,
    ): Promise<number> {
      const removed = await Promise.all(
        callsFor(people, (person) => person).map(({ bucket, people: own }) => {
          const { newestPage, tag, daysBefore } = pageArguments(bucket, sinceMs, nowMs)
          const args = { tag, daysBefore, message: historyKeyOf(ref), channel: channelBit }
          return giveBackScript(redis, { newest: newestPage }, args, own)
        }),
      )
      return removed.reduce((sum, each) => sum + each, 0)
    },

    /** Removes entries of what these were not sent after all, where they are as they were seen. */
    async forget(entries: readonly { readonly person: string; readonly entry: DiaryEntry }[]): Promise<void> {
      const pages = grouped(entries, ({ person, entry }) => keys.diary(bucketOf(person), pageName(entry.atMs)))
      await Promise.all(
        [...pages].map(([page, own]) =>
          forgetScript(
            redis,
            { page },
            {},
            own.flatMap(({ person, entry }) => [person, entry.stored]),
          ),
        ),
      )
    },
  }
}

const messageArguments = ({ ref, policy, channelBit, textHash }: Counting) => ({
  keptMs: policy.keptMs,
  message: historyKeyOf(ref),
  type: policy.number,
  channel: channelBit,
  textHash,
})

/** Lists in one argument each: hundreds of arguments a call take longer, here and in Redis, than all that is decided. */
function peopleArguments(
  { people, rows }: Call,
  asked: readonly Asked[],
  today: readonly CalendarDay[],
  days: readonly CalendarDay[],
) {
  const dayOf = today.length === 0 ? [] : rows.map((row) => days.indexOf(today[row] as CalendarDay) + 1)
  return {
    people: JSON.stringify(people),
    ordinals: ordinalsOf(rows, asked),
    dayOf: JSON.stringify(dayOf),
  }
}

/** As an entry has them: Lua would take longer over numbers than over all else it writes of somebody. */
function ordinalsOf(rows: readonly number[], asked: readonly Asked[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * rows.length)
  let at = 0
  for (const row of rows) at = bytes.writeUInt32BE((asked[row] as Asked).ordinal, at)
  return bytes
}

const ofNames = { text: 'T', any: '*' } as const

function ruleArguments(rules: readonly CountRule[], days: readonly CalendarDay[]) {
  const vector = rules.map(({ rank, of, n, window, over }) => {
    const what = typeof of === 'number' ? of : ofNames[of]
    return `${rank} ${what} ${n} ${window === 'day' ? 0 : window} ${over === 'wait' ? 1 : 0}`
  })
  return { rules: vector.join(','), days: days.map(({ fromMs, toMs }) => `${fromMs} ${toMs}`).join(',') }
}

/** @param newestMs start of the newest page */
function refusalOf(reply: readonly unknown[], rules: readonly CountRule[], newestMs: number): Refusal {
  const [rule, untilMs, tooMany, ...rest] = reply as [number, number, number, ...unknown[]]
  const inTheWay: DiaryEntry[] = []
  for (let at = 0; at < rest.length; at += 2) {
    const page = rest[at] as number
    inTheWay.push(parseEntry(rest[at + 1] as Buffer, pageStart(newestMs) - (page - 1) * 86_400_000))
  }
  return { rule: rules[rule - 1] as CountRule, untilMs, tooMany, inTheWay }
}
