/** The sandbox from outside: what the providers accepted, and what they allow. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoints } from '@courier-fleet/channels'
import type { Accepted, LimitChanges } from '@courier-fleet/sandbox'

export interface Provider {
  /** Everything accepted since it was last forgotten, oldest first, a row at a time. */
  accepted(): AsyncGenerator<Accepted>
  forget(): Promise<void>
  limits(changes: LimitChanges): Promise<void>
}

/** Waits until the sandbox answers. @returns where its stand-ins listen; undefined when it ended meanwhile */
export async function endpointsOf(url: string, isAlive: () => boolean): Promise<Endpoints | undefined> {
  while (isAlive()) {
    try {
      return (await (await fetch(`${url}/endpoints`)).json()) as Endpoints
    } catch {
      await sleep(50) // it does not listen yet
    }
  }
  return undefined
}

export function connectProvider(url: string): Provider {
  async function call(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${url}${path}`, init)
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${path}: ${await response.text()}`)
    return response
  }

  return {
    async *accepted() {
      const { body } = await call('/accepted')
      for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) }))
        yield JSON.parse(line) as Accepted
    },
    forget: async () => void (await call('/reset', { method: 'POST' })),
    async limits(changes) {
      const body = JSON.stringify(changes)
      await call('/limits', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    },
  }
}
