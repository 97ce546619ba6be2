/** What counts for a person, and what room is left: read, never written. */
import { builtInTypes, type DiaryView, maxWindowDays, parseHistoryKey, perOf } from '@courier-fleet/api-types'
import { channelsInBits } from '@courier-fleet/channels'
import { mayReadHistory, type Person } from '@courier-fleet/directory'
import { allFrequencyRules, calendarDayAt, roomOf } from '@courier-fleet/rules'
import { bucketOf, type DiaryEntry, keys, type Redis, readDiaries, redisNow, type Settings } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'

const dayMs = 86_400_000
const iso = (ms: number) => new Date(ms).toISOString()

export async function personDiary(
  redis: Redis,
  settings: Settings,
  { id, timeZone }: Person,
  caller: Caller,
): Promise<DiaryView> {
  // entries are timed by Redis
  const nowMs = await redisNow(redis, keys.people(bucketOf(id)))
  const [diary = []] = await readDiaries(redis, [id], nowMs - maxWindowDays * dayMs, nowMs)
  const day = calendarDayAt(nowMs, timeZone)
  return {
    person: id,
    asOf: iso(nowMs),
    entries: diary.map((entry) => entryView(entry, settings, caller)),
    room: allFrequencyRules(settings).map(({ type, rule }) => {
      const { used, untilMs } = roomOf(rule, diary, nowMs, day)
      return {
        rule: rule.reason as DiaryView['room'][number]['rule'],
        ...(type === undefined ? {} : { type }),
        n: rule.n,
        per: perOf(rule.window),
        used,
        left: Math.max(0, rule.n - used),
        ...(untilMs === undefined ? {} : { until: iso(untilMs) }),
      }
    }),
  }
}

function entryView(entry: DiaryEntry, { types }: Settings, caller: Caller): DiaryView['entries'][number] {
  const { atMs, type, weight, channels, message, isContested } = entry
  const named = [...types, ...builtInTypes].find(({ number }) => number === type)
  const isReadable = message !== '' && mayReadHistory(caller, parseHistoryKey(message))
  return {
    at: iso(atMs),
    // a type that was removed since has no name any more
    type: named?.id ?? String(type),
    messages: weight,
    channels: [...channelsInBits(channels)],
    ...(isReadable ? { key: message } : {}),
    contested: isContested,
  }
}
