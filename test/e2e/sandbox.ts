/** The sandbox from outside, as anyone can reach it: what the providers accepted, and how they are to behave. */
import type { Accepted, Fault, Limits, Phone, SandboxChannel } from '@courier-fleet/sandbox'

export type AcceptedRow = Accepted & { readonly seq: number }
export type LimitChanges = { readonly [C in SandboxChannel]?: Partial<Limits[C]> }

export const noLimits: LimitChanges = {
  telegram: { perSecond: null, perChatPerSecond: null },
  vk: { callsPerSecond: null },
  sms: { perSecond: null, window: null },
}

export interface Sandbox {
  /** everything the providers took responsibility for, oldest first; with `text`, only that text on that channel or on any */
  accepted(text?: string, channel?: SandboxChannel): Promise<AcceptedRow[]>
  limits(changes: LimitChanges): Promise<void>
  fault(fault: Fault): Promise<void>
  /** those not used up yet */
  faults(): Promise<Fault[]>
  clearFaults(): Promise<void>
  phones(phones: readonly Phone[]): Promise<void>
}

export function connectSandbox(url: string): Sandbox {
  async function call(path: string, method = 'GET', body?: unknown): Promise<string> {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, ...json })
    const text = await response.text()
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${path}: ${text}`)
    return text
  }

  return {
    async accepted(text, channel) {
      const lines = (await call('/accepted')).split('\n').filter(Boolean)
      const rows = lines.map((line) => JSON.parse(line) as AcceptedRow)
      return rows.filter(
        (row) => (text === undefined || row.text === text) && (channel === undefined || row.channel === channel),
      )
    },
    limits: async (changes) => void (await call('/limits', 'POST', changes)),
    fault: async (fault) => void (await call('/faults', 'POST', fault)),
    faults: async () => JSON.parse(await call('/faults')) as Fault[],
    clearFaults: async () => void (await call('/faults', 'DELETE')),
    phones: async (phones) => void (await call('/phones', 'PUT', phones)),
  }
}
