/** The sandbox from outside, as anyone can reach it: what the providers accepted, and how they are to behave. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { ChannelName, Endpoints } from '@courier-fleet/channels'
import type {
  Accepted,
  Fault,
  LimitChanges,
  PhoneChange,
  Press,
  Revision,
  ShownMessage,
  Uploaded,
} from '@courier-fleet/sandbox'

export type AcceptedRow = Accepted & { readonly seq: number }

export interface Sandbox {
  /** of the phones page */
  readonly url: string
  /** everything the providers took responsibility for, oldest first; with `text`, only that text, below a sender line or not */
  accepted(text?: string, channel?: ChannelName): Promise<AcceptedRow[]>
  /** The same, a row at a time. */
  acceptedRows(): AsyncGenerator<AcceptedRow>
  /** what was edited or deleted, oldest first */
  revisions(): Promise<Revision[]>
  /** files that providers were given, each as often as it was */
  uploads(): Promise<Uploaded[]>
  /** Forgets what was accepted so far. */
  forget(): Promise<void>
  limits(changes: LimitChanges): Promise<void>
  fault(fault: Fault): Promise<void>
  /** those not used up yet */
  faults(): Promise<Fault[]>
  clearFaults(): Promise<void>
  phones(phones: readonly PhoneChange[]): Promise<void>
  endpoints(): Promise<Endpoints>
  /** Types into a phone. */
  say(channel: ChannelName, address: string, text: string): Promise<void>
  /** Follows a link on a phone. @throws Error when it leads elsewhere */
  follow(channel: ChannelName, address: string, url: string): Promise<void>
  /** Its person looks at the chat. */
  open(channel: ChannelName, address: string): Promise<void>
  /** A chat as its person sees it, and the notice over the last button pressed. */
  chat(channel: ChannelName, address: string): Promise<{ messages: ShownMessage[]; notice?: string }>
  /** Presses a button, or forges a press of one. @throws Error when there is none with this label */
  press(channel: ChannelName, address: string, press: Press): Promise<void>
}

export function connectSandbox(url: string): Sandbox {
  async function call(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, ...json })
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${path}: ${await response.text()}`)
    return response
  }
  const get = async <T>(path: string) => (await (await call(path)).json()) as T
  const tell = async (path: string, method: string, body?: unknown) =>
    void (await (await call(path, method, body)).text())
  const phone = (channel: ChannelName, address: string) => `/phones/${channel}/${encodeURIComponent(address)}`

  async function* acceptedRows(): AsyncGenerator<AcceptedRow> {
    const { body } = await call('/accepted')
    for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) }))
      if (line !== '') yield JSON.parse(line) as AcceptedRow
  }

  return {
    url,
    acceptedRows,
    async accepted(text, channel) {
      const rows: AcceptedRow[] = []
      for await (const row of acceptedRows())
        if (
          (text === undefined || row.text === text || row.text.replace(/^.*\n/, '') === text) &&
          (channel === undefined || row.channel === channel)
        )
          rows.push(row)
      return rows
    },
    async revisions() {
      const lines = (await (await call('/revisions')).text()).split('\n')
      return lines.filter(Boolean).map((line) => JSON.parse(line) as Revision)
    },
    uploads: () => get('/uploads'),
    forget: () => tell('/reset', 'POST'),
    limits: (changes) => tell('/limits', 'POST', changes),
    fault: (fault) => tell('/faults', 'POST', fault),
    faults: () => get('/faults'),
    clearFaults: () => tell('/faults', 'DELETE'),
    endpoints: () => get('/endpoints'),
    say: (channel, address, text) => tell(`${phone(channel, address)}/say`, 'POST', { text }),
    follow: (channel, address, url) => tell(`${phone(channel, address)}/follow`, 'POST', { url }),
    open: (channel, address) => tell(`${phone(channel, address)}/open`, 'POST'),
    chat: (channel, address) => get(`${phone(channel, address)}/chat`),
    press: (channel, address, press) => tell(`${phone(channel, address)}/press`, 'POST', press),
    phones: (phones) => tell('/phones', 'PUT', phones),
  }
}
