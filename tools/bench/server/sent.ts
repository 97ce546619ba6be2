/** Who sends Redis how many of which commands; those within scripts are not sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startMonitor } from '@courier-fleet/testkit/monitor'
import type { Redis } from './server.ts'

export interface Sent {
  /** as the process calls itself to Redis */
  readonly client: string
  /** in small letters; of a script its hash stands behind */
  readonly command: string
  readonly count: number
}

/** whom MONITOR names as the source of what a script does */
const ofScript = 'lua'

/** Listens for so long. @returns the most first */
export async function countSent(redis: Redis, ms: number): Promise<Sent[]> {
  const clients = new Map(
    ((await redis.client('LIST')) as string).split('\n').map((line) => {
      const [, address = ''] = / addr=(\S+)/.exec(line) ?? []
      const [, name = ''] = / name=(\S*)/.exec(line) ?? []
      return [address, name]
    }),
  )
  const counts = new Map<string, number>()
  const monitor = await startMonitor(redis)
  monitor.on('monitor', (_time: string, [name = '', ...args]: string[], source: string) => {
    if (source === ofScript) return
    const command = /^evalsha$/i.test(name) ? `${name} ${args[0]?.slice(0, 8)}` : name
    const of = `${clients.get(source) ?? source}\n${command.toLowerCase()}`
    counts.set(of, (counts.get(of) ?? 0) + 1)
  })
  await sleep(ms)
  monitor.disconnect()
  return [...counts]
    .map(([of, count]) => {
      const [client = '', command = ''] = of.split('\n')
      return { client, command, count }
    })
    .sort((a, b) => b.count - a.count)
}
