/** The sandbox from outside, as anyone can reach it: what the providers accepted, and how they are to behave. */
import type { ChannelName, Endpoints } from '@courier-fleet/channels'
import type { Accepted, Fault, LimitChanges, PhoneChange, Press, ShownMessage } from '@courier-fleet/sandbox'

export type AcceptedRow = Accepted & { readonly seq: number }

export interface Sandbox {
  /** of the phones page */
  readonly url: string
  /** everything the providers took responsibility for, oldest first; with `text`, only that text on that channel or on any */
  accepted(text?: string, channel?: ChannelName): Promise<AcceptedRow[]>
  limits(changes: LimitChanges): Promise<void>
  fault(fault: Fault): Promise<void>
  /** those not used up yet */
  faults(): Promise<Fault[]>
  clearFaults(): Promise<void>
  phones(phones: readonly PhoneChange[]): Promise<void>
  endpoints(): Promise<Endpoints>
  /** Types into a phone. */
  say(channel: ChannelName, address: string, text: string): Promise<void>
  /** A chat as its person sees it, and the notice over the last button pressed. */
  chat(channel: ChannelName, address: string): Promise<{ messages: ShownMessage[]; notice?: string }>
  /** Presses a button, or forges a press of one. @throws Error when there is none with this label */
  press(channel: ChannelName, address: string, press: Press): Promise<void>
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
    url,
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
    endpoints: async () => JSON.parse(await call('/endpoints')) as Endpoints,
    say: async (channel, address, text) =>
      void (await call(`/phones/${channel}/${encodeURIComponent(address)}/say`, 'POST', { text })),
    chat: async (channel, address) => JSON.parse(await call(`/phones/${channel}/${encodeURIComponent(address)}/chat`)),
    press: async (channel, address, press) =>
      void (await call(`/phones/${channel}/${encodeURIComponent(address)}/press`, 'POST', press)),
    phones: async (phones) => void (await call('/phones', 'PUT', phones)),
  }
}
