import { until } from '@courier-fleet/testkit'
import type { Api } from './api.ts'

const everyMs = 150

/** Puts message after message, each as often as it takes: the API is away while it is restarted. */
export function startLoad(api: Api, group: string): { stop(): Promise<{ key: string; text: string }[]> } {
  const sent: { key: string; text: string }[] = []
  let stopped = false

  async function callUntilAnswered<T>(method: string, path: string, body: unknown): Promise<T> {
    return until(async () => {
      const answer = await api.call<T>(method, path, body).catch(() => undefined)
      if (!answer || answer.status >= 500) return undefined
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    }, `${method} ${path} is answered`)
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const text = `по кругу ${sent.length + 1}`
      const { key } = await callUntilAnswered<{ key: string }>('POST', '/v1/history-keys', {})
      await callUntilAnswered('PUT', `/v1/histories/${key}`, { to: [`group:${group}`], text })
      sent.push({ key, text })
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      await running
      return sent
    },
  }
}
