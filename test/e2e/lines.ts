/** Lines that couriers are led over to their providers, one for each process. */
import type { Environment } from './children.ts'
import type { Courier } from './fleet.ts'
import { type Line, openLine } from './line.ts'

export interface Lines {
  /** Opens a new line for this process. @returns the settings that lead it there */
  lead(courier: Courier): Promise<Environment>
  /** From now on it hears nothing of its provider, which hears it as before. */
  hold(name: string): void
  /** What was held arrives, late. */
  release(name: string): void
  close(): Promise<void>
}

export function createLines(): Lines {
  const lines = new Map<string, Line>()
  return {
    async lead({ name, channel, endpoints: { telegram, vk, sms } }) {
      const vkUrl = new URL(vk.apiBaseUrl)
      const real = { telegram, sms, vk: { host: vkUrl.hostname, port: Number(vkUrl.port) } }[channel]
      await lines.get(name)?.close()
      const line = await openLine(real)
      lines.set(name, line)
      return {
        TELEGRAM_DC: `127.0.0.1:${line.port}`,
        VK_API_BASE_URL: `http://127.0.0.1:${line.port}${vkUrl.pathname}`,
        SMS_SMPP_URL: `smpp://${sms.systemId}:${sms.password}@127.0.0.1:${line.port}`,
      }
    },
    hold(name) {
      lines.get(name)?.hold()
    },
    release(name) {
      lines.get(name)?.release()
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()))
    },
  }
}
