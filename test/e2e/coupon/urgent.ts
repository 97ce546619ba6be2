/** Messages of other senders that cannot wait, one to one person again and again. */
import type { Client } from '@courier-fleet/client'
import { sleep } from '@courier-fleet/process'
import { generatedId } from '@courier-fleet/testkit'
import type { Taken } from './judge.ts'

const everyMs = 500

export interface Urgent {
  /** how many were accepted */
  readonly count: number
  /** Resolves when the last call is answered. @returns history keys */
  stop(): Promise<readonly string[]>
  /** @returns ms from each call to when the centre had it, infinite of what never came; and how many came twice */
  judge(taken: Iterable<Taken>): { lateMs: number[]; twice: number }
}

/** @param clients one of each sender */
export function startUrgent(clients: readonly Client[], people: number): Urgent {
  const offeredAt: number[] = []
  const keys: string[] = []
  let stopped = false
  const textOf = (number: number) => `Срочно ${number}.`

  async function run(client: Client): Promise<void> {
    while (!stopped) {
      const number = offeredAt.push(Date.now()) - 1
      const to = [`user:${generatedId(number % people)}`]
      const { key } = await client.send({ to, text: textOf(number), class: 'urgent', channels: ['sms'] })
      keys.push(key)
      await sleep(everyMs)
    }
  }

  const running = Promise.all(clients.map(run))
  return {
    get count() {
      return keys.length
    },
    async stop() {
      stopped = true
      await running
      return keys
    },
    judge(taken) {
      const cameAt = new Map<number, number>()
      let twice = 0
      for (const { text, at } of taken) {
        const number = Number(/Срочно (\d+)\./.exec(text)?.[1])
        if (cameAt.has(number)) twice += 1
        else cameAt.set(number, at)
      }
      return { lateMs: offeredAt.map((at, number) => (cameAt.get(number) ?? Number.POSITIVE_INFINITY) - at), twice }
    },
  }
}
