import type { Redis } from '../connection/client.ts'
import { maxScheduled, type Put, type ScheduleInput, schedule } from './history-scripts.ts'

/** of records and audiences in one call */
const maxBytes = 262_144

/** what became of a message, or why it was not accepted */
export type Scheduled = Put | Error

interface Call {
  readonly messages: ScheduleInput[]
  readonly answers: ((scheduled: Scheduled) => void)[]
  bytes: number
}

/**
 * Messages of one shard that are put in one tick are accepted by one call of the script, whoever puts them: most of what a
 * call costs, it costs only once.
 * @returns accepts messages. @returns of each, in order, as schedule() says; an error of Redis is that of each it concerns
 */
export function createScheduling(redis: Redis): (messages: readonly ScheduleInput[]) => Promise<Scheduled[]> {
  const calls = new Map<string, Call>()

  async function run(shard: string, { messages, answers }: Call): Promise<void> {
    const replies = await schedule(redis, shard, messages).catch((error: Error) => error)
    for (const [index, answer] of answers.entries())
      answer(replies instanceof Error ? replies : (replies[index] as Scheduled))
  }

  function runAll(): void {
    for (const [shard, call] of calls) void run(shard, call)
    calls.clear()
  }

  function add(message: ScheduleInput, answer: (scheduled: Scheduled) => void): void {
    const { shard } = message.ref
    const bytes = message.record.length + message.audience.length
    // after everything else that is ready to run in this tick
    if (calls.size === 0) process.nextTick(runAll)
    let call = calls.get(shard)
    if (call && (call.messages.length === maxScheduled || call.bytes + bytes > maxBytes)) {
      void run(shard, call)
      call = undefined
    }
    if (!call) {
      call = { messages: [], answers: [], bytes: 0 }
      calls.set(shard, call)
    }
    call.messages.push(message)
    call.answers.push(answer)
    call.bytes += bytes
  }

  return (messages) =>
    new Promise((resolve) => {
      const outcomes: Scheduled[] = new Array(messages.length)
      let left = messages.length
      if (left === 0) resolve(outcomes)
      for (const [index, message] of messages.entries()) {
        add(message, (scheduled) => {
          outcomes[index] = scheduled
          left -= 1
          if (left === 0) resolve(outcomes)
        })
      }
    })
}
