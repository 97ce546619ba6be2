/** The fleet as the bot sees it: its HTTP API, by itself and for the person in a chat. */
import { type Client, createClient } from '@courier-fleet/client'

export interface Fleet {
  /** by itself: redeems codes, records consent */
  readonly inbound: Client
  /** for whoever has linked this chat */
  personal(address: string): Client
}

/** the service answers within two seconds of trouble; a rehearsal of a hundred thousand takes longer */
const answerMs = 20_000

export function connectFleet(endpoint: { apiUrl: string; apiKey: string }): Fleet {
  return {
    inbound: createClient({ ...endpoint, fetch: patient }),
    personal: (address) => createClient({ ...endpoint, fetch: patient, onBehalfOf: `telegram:${address}` }),
  }
}

/** Gives up on a service that never answers; what is watched has a signal of its own and may take days. */
const patient: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(answerMs) })
