/** Lines that couriers are led over to their providers, one for each process. */
import { channelOf } from '@courier-fleet/channels'
import type { Environment } from '@courier-fleet/launch'
import { type Link, openLink } from '@courier-fleet/testkit'
import type { Courier } from './fleet.ts'

export interface Lines {
  /** Opens a new line for this process. @returns the settings that lead it there */
  lead(courier: Courier): Promise<Environment>
  /** From now on it hears nothing of its provider, which hears it as before. */
  hold(name: string): void
  /** From now on neither is heard by the other. */
  silence(name: string): void
  /** Cuts what is open, and refuses more until `release`. */
  cut(name: string): Promise<void>
  /** What was held arrives, late. */
  release(name: string): Promise<void>
  /** bytes this process has said to its provider, over the line it has now */
  sent(name: string): number
  close(): Promise<void>
}

export function createLines(): Lines {
  const lines = new Map<string, Link & { sent(): number }>()

  async function open(to: { host: string; port: number }) {
    let sent = 0
    const asked = (chunk: Buffer) => {
      sent += chunk.length
    }
    return { ...(await openLink(to, () => ({ asked }))), sent: () => sent }
  }

  return {
    async lead({ name, channel, endpoints }) {
      const real = endpoints[channel]
      await lines.get(name)?.close()
      const line = await open(real)
      lines.set(name, line)
      return channelOf(channel).settings.sandbox({ ...real, host: '127.0.0.1', port: line.port })
    },
    hold: (name) => lines.get(name)?.hold(),
    silence: (name) => lines.get(name)?.silence(),
    cut: async (name) => lines.get(name)?.refuse(),
    release: async (name) => lines.get(name)?.restore(),
    sent: (name) => lines.get(name)?.sent() ?? 0,
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()))
    },
  }
}
