/** What somebody is asked to confirm by a number, and what is known of it: read where an answer by SMS is to be understood. */
import { type AsksView, historyKeyOf, type Reader, renderText } from '@courier-fleet/api-types'
import { type Ask, type Histories, type Redis, readAsks } from '@courier-fleet/store'

/** Numbers are given where there is no button. */
const channel = 'sms'
/** characters of the beginning of a text */
const shownLength = 40

export const beginningOf = (text: string): string => [...text].slice(0, shownLength).join('')

/** Only of messages that are kept, and of the newest text of each. */
export async function asksOf(
  { redis, histories }: { redis: Redis; histories: Pick<Histories, 'ofPerson'> },
  person: Reader,
  nowMs: number,
): Promise<AsksView> {
  const asks = await readAsks(redis, person.id, nowMs)
  const found = await histories.ofPerson(
    asks.map(({ ref }) => ref),
    person.id,
  )
  return {
    asks: asks.flatMap(({ number, ref, version, askedMs }, index) => {
      const known = found[index]
      if (!known || known.version !== version) return []
      const { channels, confirmed } = known.receipt
      return {
        number,
        key: historyKeyOf(ref),
        text: beginningOf(renderText(known, person).text ?? known.text),
        askedAt: new Date(askedMs).toISOString(),
        mayHaveIt: mayHaveIt.has(channels[channel]?.state ?? ''),
        ...(confirmed ? { confirmed } : {}),
      }
    }),
  }
}

const mayHaveIt: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'confirmed', 'unknown'])

/** @returns undefined where this number stands for nothing */
export async function askByNumber(
  redis: Redis,
  person: string,
  number: string,
  nowMs: number,
): Promise<Ask | undefined> {
  return (await readAsks(redis, person, nowMs)).find((each) => each.number === number)
}
