import { bucketOf } from '../buckets.ts'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { type DiaryEntry, parsePage } from './entry.ts'
import { pageName, pagesSince } from './pages.ts'

/** What these people were sent since then, in order, the newest first. Nothing is written. */
export async function readDiaries(
  redis: Redis,
  people: readonly string[],
  fromMs: number,
  nowMs: number,
): Promise<DiaryEntry[][]> {
  const days = pagesSince(fromMs, nowMs)
  const rows = new Map<number, number[]>()
  for (const [row, person] of people.entries()) {
    const bucket = bucketOf(person)
    const others = rows.get(bucket)
    if (others) others.push(row)
    else rows.set(bucket, [row])
  }
  const diaries: DiaryEntry[][] = people.map(() => [])
  const readBucket = async (bucket: number, own: readonly number[]) => {
    const names = own.map((row) => people[row] as string)
    const pages = await Promise.all(days.map((day) => redis.hmgetBuffer(keys.diary(bucket, pageName(day)), ...names)))
    for (const [index, page] of pages.entries()) {
      for (const [at, row] of own.entries()) {
        const text = page[at]
        if (text) diaries[row]?.push(...parsePage(text, days[index] as number).reverse())
      }
    }
  }
  await Promise.all([...rows].map(([bucket, own]) => readBucket(bucket, own)))
  return diaries.map((entries) => entries.filter(({ atMs }) => atMs >= fromMs))
}
