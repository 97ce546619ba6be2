/**
 * What is done for a subscription as a whole: its beginning and replays, and the comparison that finds what was changed and not marked.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Told } from '@courier-fleet/store'
import { fieldsOf, type Subscription, type Subscriptions, type Views } from '@courier-fleet/subscriptions'
import type { Existing } from './existing.ts'
import type { Work } from './work.ts'

interface RestartDeps {
  readonly work: Work
  readonly subscriptions: Pick<Subscriptions, 'watch' | 'replayed'>
  readonly views: Views
  readonly existing: Existing
}

const perComparison = 50

/** Whoever has it from before it was gone, as out of a back-up, is told so again: what they have of it nobody knows any more. */
function wholeOf({ resource }: Subscription, told: Told): Told {
  const inDoubt = told.view === null ? { inDoubt: fieldsOf[resource] } : {}
  return { ...told, whole: true, ...inDoubt }
}

export function createRestart({ work, subscriptions, views, existing }: RestartDeps) {
  async function* resourcesOf({ resource, resourceId }: Subscription) {
    if (resourceId === undefined) yield* existing(resource)
    else yield [resourceId]
  }

  return {
    /**
     * Has all of it sent whole: what there is, and of what was told already what has changed since, or is gone. Watched first: what changes from then on is
     * marked, and what changed before is read. While nothing of it is in anybody's hands; after a crash, or where the lease has run out meanwhile, it
     * is done again from its beginning.
     */
    async replay(subscription: Subscription, sinceMs: number): Promise<void> {
      const { id } = subscription
      await subscriptions.watch(subscription)
      for await (const page of work.allTold(id)) {
        const wanted = page.filter(([, { atMs }]) => atMs >= sinceMs)
        const keeping = wanted.map(([resource, told]) =>
          work.keep(id, resource, { dueInMs: 0, told: wholeOf(subscription, told) }),
        )
        if ((await Promise.all(keeping)).includes(false)) return
      }
      // what waits for another try is tried now, and then as often as anything new
      for await (const page of work.allSending(id)) {
        const keeping = page.map(([resource, sending]) =>
          work.keep(id, resource, { dueInMs: 0, sending: { ...sending, tries: 0 } }),
        )
        if ((await Promise.all(keeping)).includes(false)) return
      }
      for await (const page of resourcesOf(subscription)) await work.note(id, page, 'at-once')
      await subscriptions.replayed(id, sinceMs)
    },

    /** Has looked at whatever is not as it was told. */
    async compare(subscription: Subscription): Promise<void> {
      const reader = await views.readerOf(subscription)
      if (!reader) return
      const { id, resource } = subscription
      async function compareAll(resources: readonly string[]): Promise<void> {
        for (let from = 0; from < resources.length; from += perComparison) {
          const some = resources.slice(from, from + perComparison)
          const told = await work.toldOf(id, some)
          const now = await Promise.all(some.map((each) => views.viewOf(reader as never, resource, each)))
          await work.note(
            id,
            some.filter((_id, at) => !isDeepStrictEqual(told[at]?.view ?? undefined, now[at])),
            'at-once',
          )
        }
      }
      for await (const page of resourcesOf(subscription)) await compareAll(page)
      // what was told and is gone
      for await (const page of work.allTold(id)) await compareAll(page.map(([each]) => each))
    },
  }
}
