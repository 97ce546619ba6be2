/**
 * Reads the marks of what has changed, notes each in the subscriptions that follow it, and takes it away. Any number of notifiers may: what is
 * noted twice is looked at twice, and found to be as it was told. What is marked again while it is read stays marked, and is read again.
 */
import { historyKeyOf } from '@courier-fleet/api-types'
import { alignedInterval, createThrottledLog, type Log } from '@courier-fleet/process'
import {
  hints,
  type Mark,
  markedTags,
  type Redis,
  readMarks,
  type Subscriber,
  shardOfTag,
  unmark,
} from '@courier-fleet/store'
import { progressOf } from './look.ts'
import type { Work } from './work.ts'

/** What is marked again and again, as a running history, is read so often at most. */
const pauseMs = 50
const perRead = 500

interface MarksDeps {
  readonly redis: Redis
  readonly shards: number
  readonly subscriber: Subscriber
  readonly work: Pick<Work, 'note'>
  readonly log: Log
  /** Whether anybody has subscribed: for nobody is anything marked. */
  readonly isFollowed: () => boolean
  /** what no hint told of is found after so long */
  readonly pollMs: number
}

export function createMarks({ redis, shards, subscriber, work, log, isFollowed, pollMs }: MarksDeps) {
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const byHint = new Map(markedTags(shards).map((tag) => [hints.marked(tag), tag]))
  const hinted = new Set<string>()
  let running: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined
  let stopPolling = () => {}
  let stopped = false

  async function readTag(tag: string): Promise<void> {
    for (;;) {
      const marks = await readMarks(redis, tag, perRead)
      await noteAll(tag, marks, { redis, work })
      // nobody is told of a mark that is made where there is one
      if (!(await unmark(redis, tag, marks))) hinted.add(tag)
      // one of a full page is the member that counts them
      if (marks.length < perRead - 1 || stopped) return
    }
  }

  async function round(): Promise<void> {
    const tags = [...hinted]
    hinted.clear()
    try {
      await Promise.all(tags.map(readTag))
    } catch (error) {
      // what was not read is found by the poll
      logThrottled({ err: error }, 'cannot read what has changed')
    }
  }

  function hurry(): void {
    if (running || pause || stopped || hinted.size === 0) return
    running = round().finally(() => {
      running = undefined
      pause = setTimeout(() => {
        pause = undefined
        hurry()
      }, pauseMs)
    })
  }

  const onMessage = (channel: string) => {
    const tag = byHint.get(channel)
    if (tag === undefined) return
    hinted.add(tag)
    hurry()
  }
  const readAll = () => {
    for (const tag of byHint.values()) hinted.add(tag)
    hurry()
  }

  const poll = () => {
    if (isFollowed()) readAll()
  }

  return {
    async start(): Promise<void> {
      subscriber.on('message', onMessage)
      subscriber.on('ready', readAll)
      await subscriber.subscribe(...byHint.keys())
      stopPolling = alignedInterval(pollMs, poll)
      readAll()
    },
    /** Resolves once the round under way has ended. */
    async stop(): Promise<void> {
      stopped = true
      subscriber.off('message', onMessage)
      subscriber.off('ready', readAll)
      stopPolling()
      clearTimeout(pause)
      await running
    },
  }
}

/** Notes each in all subscriptions that follow it. */
async function noteAll(tag: string, marks: readonly Mark[], { redis, work }: Pick<MarksDeps, 'redis' | 'work'>) {
  const found = { 'at-once': new Map<string, string[]>(), 'in-turn': new Map<string, string[]>() }
  await Promise.all(
    marks.map(async (mark) => {
      const resource = resourceOf(tag, mark)
      const resources = found[await whenOf(redis, mark, resource)]
      for (const subscription of mark.subscriptions) {
        const others = resources.get(subscription)
        if (others) others.push(resource)
        else resources.set(subscription, [resource])
      }
    }),
  )
  for (const when of ['at-once', 'in-turn'] as const)
    await Promise.all([...found[when]].map(([subscription, some]) => work.note(subscription, some, when)))
}

/** A history that runs waits for its turn. One that comes to its end after this was read is marked anew, and read again. */
async function whenOf(redis: Redis, { of }: Mark, resource: string): Promise<'at-once' | 'in-turn'> {
  return of.startsWith('history:') && (await progressOf(redis, resource)) === 'running' ? 'in-turn' : 'at-once'
}

/** Its id as the API has it: a history is marked by the name that its keys end in. */
function resourceOf(tag: string, { of }: Mark): string {
  const [resource, ...rest] = of.split(':')
  if (resource !== 'history') return rest.join(':')
  const [sender = '', id = ''] = rest
  return historyKeyOf({ shard: shardOfTag(tag) as string, sender, id })
}
