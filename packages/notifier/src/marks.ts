/**
 * Reads the marks of what has changed, notes each in the subscriptions that follow it, and takes it away. Any number of notifiers may: what is
 * noted twice is looked at twice, and found to be as it was told.
 */
import { historyKeyOf } from '@courier-fleet/api-types'
import { createThrottledLog, type Log } from '@courier-fleet/process'
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
import type { Work } from './work.ts'

/** What no hint told of is found after so long. */
const pollMs = 1_000
/** What is marked again and again, as a running history, is read so often at most. */
const pauseMs = 50
const perRead = 500

interface MarksDeps {
  readonly redis: Redis
  readonly shards: number
  readonly subscriber: Subscriber
  readonly work: Pick<Work, 'note'>
  readonly log: Log
}

export function createMarks({ redis, shards, subscriber, work, log }: MarksDeps) {
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const byHint = new Map(markedTags(shards).map((tag) => [hints.marked(tag), tag]))
  const hinted = new Set<string>()
  let running: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined
  let poll: NodeJS.Timeout | undefined
  let stopped = false

  async function readTag(tag: string): Promise<void> {
    for (;;) {
      const marks = await readMarks(redis, tag, perRead)
      const resources = new Map<string, string[]>()
      for (const mark of marks)
        for (const subscription of mark.subscriptions)
          resources.set(subscription, [...(resources.get(subscription) ?? []), resourceOf(tag, mark)])
      await Promise.all([...resources].map(([subscription, some]) => work.note(subscription, some)))
      await unmark(redis, tag, marks)
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

  return {
    async start(): Promise<void> {
      subscriber.on('message', onMessage)
      subscriber.on('ready', readAll)
      await subscriber.subscribe(...byHint.keys())
      poll = setInterval(readAll, pollMs)
      readAll()
    },
    /** Resolves once the round under way has ended. */
    async stop(): Promise<void> {
      stopped = true
      subscriber.off('message', onMessage)
      subscriber.off('ready', readAll)
      clearInterval(poll)
      clearTimeout(pause)
      await running
    },
  }
}

/** Its id as the API has it: a history is marked by the name that its keys end in. */
function resourceOf(tag: string, { of }: Mark): string {
  const [resource, ...rest] = of.split(':')
  if (resource !== 'history') return rest.join(':')
  const [sender = '', id = ''] = rest
  return historyKeyOf({ shard: shardOfTag(tag) as string, sender, id })
}
