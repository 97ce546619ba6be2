/** What the owner of a subscription may read of a resource now: their role, groups and API key are looked at anew each time. */
import { findType, Problem, parseHistoryKey, type SubscriptionResource } from '@courier-fleet/api-types'
import { toldBy } from '@courier-fleet/channels'
import {
  type ApiKeys,
  type Directory,
  hasRole,
  mayRead,
  mayReadHistory,
  personShownTo,
  type Reader,
  roleNow,
} from '@courier-fleet/directory'
import {
  canSend,
  type Histories,
  type LiveSettings,
  type Redis,
  readChannels,
  readPause,
  readProcesses,
  rightsNow,
  type View,
} from '@courier-fleet/store'
import { viewFrom } from './diff.ts'
import type { Subscription } from './subscription.ts'

interface ViewDeps {
  readonly redis: Redis
  readonly shards: number
  readonly histories: Pick<Histories, 'snapshot' | 'view'>
  readonly directory: Directory
  readonly apiKeys: Pick<ApiKeys, 'find'>
  readonly settings: Pick<LiveSettings, 'current' | 'look'>
}

export interface Views {
  /** By whose rights it reads now. @returns undefined when its owner is gone, has no such API key or may have no subscriptions any more */
  readerOf(subscription: Pick<Subscription, 'owner' | 'keyId'>): Promise<Reader | undefined>
  /** As the API would show it. @returns undefined when there is no such thing, or none that this reader may read */
  viewOf(reader: Reader, resource: SubscriptionResource, id: string): Promise<View | undefined>
}

/** Whoever may have subscriptions, as rights.ts of the queue says. */
const least = 'trainer'

export function createViews(deps: ViewDeps): Views {
  const { directory, apiKeys } = deps
  const readers = createReaders(deps)
  return {
    async readerOf({ owner, keyId }) {
      const [person, key] = await Promise.all([
        directory.findPerson(owner),
        keyId === undefined ? undefined : apiKeys.find(keyId),
      ])
      const ofPerson = person && (await rightsNow(deps.settings, person.role))
      // whoever has a role that nobody knows may read nothing, by a key either
      if (person && !ofPerson) return undefined
      const ofKey = key?.owner === owner ? await rightsNow(deps.settings, key.role) : undefined
      const role = keyId === undefined ? ofPerson : ofKey && roleNow(ofKey, ofPerson)
      const reader = role && { owner, role }
      return reader && hasRole(reader, least) ? reader : undefined
    },

    async viewOf(reader, resource, id) {
      const shown = await readers[resource](reader, id)
      return shown && viewFrom(shown)
    },
  }
}

type Read = (reader: Reader, id: string) => Promise<object | undefined>

function createReaders(deps: ViewDeps): Readonly<Record<SubscriptionResource, Read>> {
  const { histories, directory, settings } = deps
  const ifReadable = <T extends { readonly owners: readonly string[] }>(reader: Reader, found: T | undefined) =>
    found && mayRead(reader, found) ? found : undefined
  return {
    async history(reader, id) {
      const ref = historyRefOf(id)
      if (!ref || !mayReadHistory(reader, ref)) return undefined
      const snapshot = await histories.snapshot(ref)
      return snapshot && histories.view(snapshot)
    },
    async person(reader, id) {
      if (id !== reader.owner && !hasRole(reader, 'staff')) return undefined
      const person = await directory.getPerson(id)
      return person && personShownTo(reader, person)
    },
    async group(reader, id) {
      return ifReadable(reader, await directory.getGroup(id))
    },
    async cohort(reader, id) {
      return ifReadable(reader, await directory.getCohort(id))
    },
    async ownership(reader, id) {
      const [kind, name = ''] = id.split(':')
      const found = await (kind === 'group' ? directory.getGroup(name) : directory.getCohort(name))
      const owned = ifReadable(reader, found)
      return owned && { owners: owned.owners }
    },
    channel: (_reader, id) => readChannel(deps, id),
    type: async (_reader, id) => findType(settings.current().types, id),
  }
}

/** What of a channel changes seldom: not what waits for it, nor how many couriers are at it. */
async function readChannel({ redis, shards, settings }: ViewDeps, channel: string): Promise<object | undefined> {
  const [known, pause, processes] = await Promise.all([
    readChannels(redis, shards),
    readPause(redis, channel),
    readProcesses(redis),
  ])
  const couriers = processes.filter((each) => each.channel === channel)
  const use = known.get(channel)
  if (use === undefined && couriers.length === 0) return undefined
  return {
    channel,
    tells: toldBy(channel, settings.current().tellRead),
    inUse: use === 'in-use',
    ready: couriers.some(canSend),
    paused: pause && { pausedBy: pause.by, pausedSince: new Date(pause.sinceMs).toISOString() },
  }
}

function historyRefOf(key: string) {
  try {
    return parseHistoryKey(key)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
