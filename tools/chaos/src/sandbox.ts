/** The providers' stand-ins, told from outside how to misbehave. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoints } from '@courier-fleet/channels'
import type { Fault, Phone } from '@courier-fleet/sandbox'
import { noLimits } from '@courier-fleet/sandbox/limits'

export interface Sandbox {
  readonly url: string
  readonly endpoints: Endpoints
  misbehave(fault: Fault): Promise<void>
  behave(): Promise<void>
  phones(phones: readonly Phone[]): Promise<void>
}

const tryAgainMs = 50
const startMs = 20_000

/** Waits until the sandbox answers, and lifts its limits. @throws Error when it does not answer in time */
export async function connectSandbox(url: string): Promise<Sandbox> {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, ...json })
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${path}: ${await response.text()}`)
    return response
  }

  async function firstEndpoints(): Promise<Endpoints> {
    for (const giveUpAt = Date.now() + startMs; ; ) {
      try {
        return (await (await call('GET', '/endpoints')).json()) as Endpoints
      } catch (error) {
        if (Date.now() > giveUpAt) throw error
        await sleep(tryAgainMs)
      }
    }
  }

  const endpoints = await firstEndpoints()
  await call('POST', '/limits', noLimits())
  return {
    url,
    endpoints,
    misbehave: async (fault) => void (await call('POST', '/faults', fault)),
    behave: async () => void (await call('DELETE', '/faults')),
    phones: async (phones) => void (await call('PUT', '/phones', phones)),
  }
}
