import { type Link, openLink } from './link.ts'

/** A way to a Redis that can be shut, or fall silent. */
export interface RedisGate extends Link {
  /** of the same database, through the gate */
  readonly url: string
}

export async function redisGate(redisUrl: string): Promise<RedisGate> {
  const { hostname, port, pathname } = new URL(redisUrl)
  const link = await openLink({ host: hostname, port: Number(port) })
  return { ...link, url: `redis://127.0.0.1:${link.port}${pathname}` }
}
