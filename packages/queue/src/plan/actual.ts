/** What was expected of a message, beside what has become of it so far. */
import { type Cost, type ForecastReport, type Plan, pricedParts } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import { acceptedWords, type Histories, isWithin, type LiveSettings, type Snapshot } from '@courier-fleet/store'
import { partsOn, wordsFor } from './paid-count.ts'
import { createPriceCount } from './price-count.ts'

interface ActualDeps {
  readonly histories: Histories
  readonly directory: Pick<Directory, 'allContactsOf' | 'findInFull'>
  readonly settings: Pick<LiveSettings, 'current'>
}

const iso = (ms: string) => new Date(Number(ms)).toISOString()

export async function forecastReportOf(deps: ActualDeps, snapshot: Snapshot): Promise<ForecastReport> {
  const { hash } = snapshot
  const forecast = hash.plan === undefined ? undefined : (JSON.parse(hash.plan) as Plan).forecast
  const { channels: ledgers } = await deps.histories.view(snapshot)
  const names = Object.keys(ledgers)
  const sent = await Promise.all(
    names.map(async (channel) => {
      const finished = hash[`${channel}:settled`]
      const people = await deps.histories.sentTo.count(snapshot, channel)
      return [channel, { people, ...(finished ? { finishedAt: iso(finished) } : {}) }] as const
    }),
  )
  const paid = names.find((channel) => findChannel(channel)?.text.kind === 'sms-parts')
  const held = isWithin(hash)
  return {
    ...(forecast ? { forecast } : {}),
    actual: {
      channels: Object.fromEntries(sent),
      ...(hash.settled ? { finishedAt: iso(hash.settled) } : {}),
      ...(held === undefined ? {} : { isWithin: held }),
      ...(paid === undefined ? {} : { cost: await costOf(deps, snapshot, paid, forecast?.cost) }),
    },
  }
}

/** At the prices that were foretold; where none were, at those of now. Whose number is not known any more has no price. */
async function costOf(
  { histories, directory, settings }: ActualDeps,
  snapshot: Snapshot,
  channel: string,
  foretold: Cost | undefined,
): Promise<Cost> {
  const { currency, prices = [] } = foretold ?? {}
  const tariffs = foretold ? (currency === undefined ? null : { currency, prices }) : settings.current().tariffs
  const count = createPriceCount(tariffs)
  const words = acceptedWords(snapshot)
  for await (const people of histories.sentTo.people(snapshot, channel)) {
    const readers = words?.personal ? await directory.findInFull(people) : []
    for (const [index, contacts] of (await directory.allContactsOf(people)).entries()) {
      const reader = readers[index] ?? { id: people[index] as string }
      const parts = words?.personal && partsOn(channel, wordsFor(channel, words, reader)).parts.length
      count.add(contacts[channel]?.address, parts)
    }
  }
  if (words?.personal) return count.costOfParts()
  return words ? pricedParts(count.cost(), partsOn(channel, words).parts.length) : count.cost()
}
