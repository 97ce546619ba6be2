/** The accounts of a channel that has several, as all of its couriers see them together. */
import type { ChannelAccountView } from '@courier-fleet/api-types'
import {
  type AccountInfo,
  accountPausedMs,
  type ChannelBacklog,
  type Redis,
  readAccountPeople,
} from '@courier-fleet/store'

/** @returns in the order of the settings; none where the channel has one */
export async function readAccounts(
  redis: Redis,
  { channel, couriers }: Pick<ChannelBacklog, 'channel' | 'couriers'>,
): Promise<ChannelAccountView[]> {
  const seen = new Map<string, AccountInfo[]>()
  for (const each of couriers.flatMap(({ accounts = [] }) => accounts))
    seen.set(each.name, [...(seen.get(each.name) ?? []), each])
  return Promise.all([...seen].map(([name, views]) => accountOf(redis, channel, name, views)))
}

/** What differs from process to process is each one's own line: of those in trouble the latest is told. */
async function accountOf(
  redis: Redis,
  channel: string,
  name: string,
  views: readonly AccountInfo[],
): Promise<ChannelAccountView> {
  const [{ account, prefixes, perSecond }] = views as [AccountInfo]
  const [pausedMs, people] = await Promise.all([
    accountPausedMs(redis, channel, account),
    readAccountPeople(redis, channel, name),
  ])
  const [trouble] = views
    .flatMap(({ state }) => (state.is === 'works' ? [] : [state]))
    .sort((a, b) => b.since - a.since)
  return {
    name,
    prefixes,
    ...(perSecond === undefined ? {} : { perSecond }),
    couriers: { works: views.filter(({ state }) => state.is === 'works').length, of: views.length },
    ...(trouble
      ? { trouble: { state: trouble.is, since: new Date(trouble.since).toISOString(), why: trouble.why } }
      : {}),
    pausedForMs: pausedMs,
    people,
  }
}
