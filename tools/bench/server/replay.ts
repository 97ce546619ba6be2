/**
 * What Redis alone needs for the work of others: the commands it is given, those within scripts included, are written down
 * (MONITOR) and given to it once more, bare, many at a time and in the same order.
 */
import { startMonitor } from '@courier-fleet/testkit/monitor'
import { commandsBetween } from './info.ts'
import type { Redis, Server } from './server.ts'

export type Command = readonly [name: string, ...args: Buffer[]]

export interface Capture {
  stop(): Promise<Command[]>
}

export interface Floor {
  /** CPU of the server's process */
  readonly cpuMs: number
  /** of that, executing commands */
  readonly executingMs: number
  readonly commands: number
}

/** scripts stand for their commands; the rest are the bench's own, or change the connection they are given on */
const leftOut =
  /^(eval|evalsha|script|info|monitor|config|slowlog|client|hello|auth|select|quit|subscribe|psubscribe|unsubscribe|memory|multi|exec)$/i
const maxPipelined = 500
const settleMs = 100

export async function capture(redis: Redis): Promise<Capture> {
  const commands: Command[] = []
  const monitor = await startMonitor(redis)
  monitor.on('monitor', (_time: string, [name = '', ...args]: string[]) => {
    if (!leftOut.test(name)) commands.push([name, ...args.map(bytesOf)])
  })
  return {
    async stop() {
      // what MONITOR tells comes on a connection of its own
      await new Promise((resolve) => setTimeout(resolve, settleMs))
      monitor.disconnect()
      return commands
    },
  }
}

/** Nobody may be listening to this Redis any more: it is told again what it was told before. */
export async function replay(server: Server, commands: readonly Command[]): Promise<Floor> {
  const before = await server.figures()
  for (let from = 0; from < commands.length; from += maxPipelined) {
    const pipeline = server.redis.pipeline()
    for (const [name, ...args] of commands.slice(from, from + maxPipelined)) pipeline.call(name, ...args)
    await pipeline.exec()
  }
  const after = await server.figures()
  const done = [...commandsBetween(before, after)].filter(([name]) => !leftOut.test(name))
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    executingMs: done.reduce((sum, [, { usec }]) => sum + usec, 0) / 1000,
    commands: commands.length,
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' }

/** MONITOR shows what is not plain ASCII as \xHH. */
export function bytesOf(text: string): Buffer {
  const bytes = text.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_all, hex?: string, letter = '') =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1')
}
