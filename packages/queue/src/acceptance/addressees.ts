/**
 * Whom messages are for: the tokens that name people, of which the directory makes an audience, and those that leave only some of it.
 * Rights are those of the named alone: what narrows can let nobody write to anybody. Both are read when a message is accepted, and the
 * audience is fixed then.
 */
import {
  type AboutMessage,
  type HistoryRef,
  namesPeople,
  narrowingIn,
  Problem,
  parseHistoryKey,
  urlIn,
} from '@courier-fleet/api-types'
import { hasRole, mayReadHistory } from '@courier-fleet/directory'
import { allOf, type Clock } from '@courier-fleet/process'
import { type Histories, type LiveSettings, narrow, type PackedAudience, type Snapshot } from '@courier-fleet/store'
import type { Caller } from '../access/callers.ts'
import type { Webhooks } from '../subscriptions/webhooks.ts'
import { type Addressees, asNamed } from './named-addressees.ts'
import { urlAddressees } from './url-addressees.ts'

export interface ReadAddressees {
  /** Of messages of one sender, in order. What several ask for is read once. */
  of(messages: readonly (readonly string[])[], by: Caller): Promise<(Addressees | Error)[]>
}

const dayMs = 86_400_000

interface ReaderDeps {
  readonly histories: Histories
  readonly clock: Clock
  readonly settings: Pick<LiveSettings, 'current'>
  readonly webhooks: Webhooks
}

export function createReadAddressees(deps: ReaderDeps): ReadAddressees {
  const inTurn = oneAtATime()
  return {
    async of(messages, by) {
      let reader: ReturnType<typeof createReader> | undefined
      const narrowed = (to: readonly string[]) => {
        reader ??= createReader({ ...deps, inTurn }, by)
        return reader.read(to)
      }
      return allOf(
        messages.map((to) => {
          if (to.some((token) => urlIn(token))) return urlAddressees(to, by, deps.webhooks)
          return to.some((token) => narrowingIn(token)) ? narrowed(to) : asNamed(to)
        }),
      )
    },
  }
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Millions of receipts are much work for one process: of those who ask at once, the others wait. */
function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

interface Reader {
  filterOf(token: string, field: string): Promise<Filter>
  /** Whom the message was addressed to whose people these are; of those, only they are left. */
  namedBefore(token: string, field: string): Promise<string[]>
}
/** leaves some of an audience */
type Filter = (audience: PackedAudience) => Promise<PackedAudience>

async function read(reader: Reader, to: readonly string[]): Promise<Addressees> {
  const positions = to.map((_, index) => index)
  const narrowing = positions.filter((index) => narrowingIn(to[index] as string))
  const filters = await Promise.all(narrowing.map((index) => reader.filterOf(to[index] as string, `to.${index}`)))
  const own = positions.filter((index) => !narrowing.includes(index))
  const isAgain = own.length === 0
  const at = narrowing.find((index) => narrowingIn(to[index] as string)?.kind !== 'unread') ?? 0
  const named = isAgain
    ? await reader.namedBefore(to[at] as string, `to.${at}`)
    : own.map((index) => to[index] as string)
  return {
    named,
    written: isAgain ? [...named, ...to] : to,
    told: (problem) => {
      const [, position] = /^to\.(\d+)$/.exec(problem.field ?? '') ?? []
      if (position === undefined) return problem
      const { status, code, message } = problem
      return new Problem(status, code, message, `to.${isAgain ? at : own[Number(position)]}`)
    },
    narrow: onceEach(async (audience) => {
      let left = audience
      for (const filter of filters) left = await filter(left)
      return left
    }),
  }
}

/** Many messages to the same people share what is left of them. */
function onceEach(filter: Filter): Filter {
  const done = new WeakMap<PackedAudience, Promise<PackedAudience>>()
  return (audience) => {
    const left = done.get(audience) ?? filter(audience)
    done.set(audience, left)
    return left
  }
}

/** For the messages of one call. */
function createReader({ histories, clock, settings, inTurn }: ReaderDeps & { readonly inTurn: InTurn }, by: Caller) {
  const filters = new Map<string, Promise<Filter>>()
  const lists = new Map<string, Promise<Addressees | Error>>()

  async function historyOf(key: string, field: string): Promise<Snapshot> {
    const ref = refOf(key)
    if (ref && !mayReadHistory(by, ref)) {
      throw new Problem(403, 'not-your-history', `the message ${key} belongs to another sender`, field)
    }
    const snapshot = ref && (await histories.snapshot(ref))
    if (!snapshot?.record) throw new Problem(422, 'unknown-audience', `there is no message ${key}`, field)
    return snapshot
  }

  async function withoutOf(kind: AboutMessage, key: string, field: string): Promise<Filter> {
    const without = await histories.peopleWithout(await historyOf(key, field), kind)
    if (without) return (audience) => narrow(audience, without, 'among')
    const detail = `whom the message ${key} was for is not kept: it was cancelled before anybody got it`
    throw new Problem(422, 'unknown-audience', detail, field)
  }

  async function unreadFor(days: number, field: string): Promise<Filter> {
    const { retentionDays } = settings.current()
    if (days > retentionDays) {
      const detail = `messages are kept for ${retentionDays} days: nothing is known of ${days}`
      throw new Problem(422, 'too-far-back', detail, field)
    }
    const whose = hasRole(by, 'operator') ? undefined : by.owner
    const reached = await inTurn(() => histories.peopleReached(whose, clock.now() - days * dayMs))
    if (reached) return (audience) => narrow(audience, reached, 'except')
    throw new Problem(422, 'too-much-to-read', `too many messages went out in ${days} days: take fewer`, field)
  }

  const reader = {
    read(to: readonly string[]): Promise<Addressees | Error> {
      const name = to.join(' ')
      const found = lists.get(name) ?? read(reader, to).catch((error: Error) => error)
      lists.set(name, found)
      return found
    },

    filterOf(token: string, field: string): Promise<Filter> {
      const known = filters.get(token)
      if (known) return known
      const narrowing = narrowingIn(token)
      if (!narrowing) throw new Error(`${token} leaves everybody`)
      const filter =
        narrowing.kind === 'unread' ? unreadFor(narrowing.days, field) : withoutOf(narrowing.kind, narrowing.key, field)
      filters.set(token, filter)
      return filter
    },

    async namedBefore(token: string, field: string): Promise<string[]> {
      const narrowing = narrowingIn(token)
      const isAboutMessage = narrowing && narrowing.kind !== 'unread'
      const to = isAboutMessage ? histories.addressedTo(await historyOf(narrowing.key, field)) : []
      const named = to.filter(namesPeople)
      if (named.length > 0) return named
      throw new Problem(422, 'names-nobody', 'this leaves some of those whom you name: name them, too', field)
    },
  }
  return reader
}

function refOf(key: string): HistoryRef | undefined {
  try {
    return parseHistoryKey(key)
  } catch {
    return undefined
  }
}
