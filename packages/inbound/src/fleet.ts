/** The fleet as an inbound process sees it: its HTTP API, called by itself or for the person behind a contact. */
import { type Client, createClient } from '@courier-fleet/client'

export interface Fleet {
  /** by itself: redeems codes, records consent, answers */
  readonly own: Client
  /** for the person who has linked this contact; `signal` ends calls, and takes the place of the time limit */
  forContact(address: string, signal?: AbortSignal): Client
}

export interface FleetConnection {
  readonly apiUrl: string
  /** of role `inbound` */
  readonly apiKey: string
  /** whose contacts it acts for */
  readonly channel: string
}

/** the API answers within two seconds of trouble; a rehearsal of a hundred thousand people takes longer */
const maxAnswerMs = 20_000

/** Nothing is connected before the first call. */
export function connectFleet({ apiUrl, apiKey, channel }: FleetConnection): Fleet {
  return {
    own: createClient({ apiUrl, apiKey, fetch: fetchWithin() }),
    forContact: (address, signal) =>
      createClient({ apiUrl, apiKey, fetch: fetchWithin(signal), onBehalfOf: `${channel}:${address}` }),
  }
}

/** A call with a signal of its own (one that watches, and may take days) is ended by that signal and by nothing else. */
function fetchWithin(signal?: AbortSignal): typeof fetch {
  return (input, init) => fetch(input, { ...init, signal: init?.signal ?? signal ?? AbortSignal.timeout(maxAnswerMs) })
}
