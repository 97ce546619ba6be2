/** What the API may say of a recipient on a channel, and what may follow what: read from its documentation, not its code. */
export const states = [
  'pending',
  'sent',
  'delivered',
  'read',
  'confirmed',
  'failed',
  'suppressed',
  'no-contact',
  'expired',
  'cancelled',
  'unknown',
] as const
export type State = (typeof states)[number]

/** A state as one byte: its index in `states`. */
export const codeOf = (state: State) => states.indexOf(state)
export const stateOf = (code: number) => states[code] as State

/** `failed` after `sent` comes by a delivery report */
const later: Readonly<Record<State, readonly State[]>> = {
  pending: states,
  unknown: ['sent', 'delivered', 'read', 'confirmed', 'failed'],
  sent: ['delivered', 'read', 'confirmed', 'failed'],
  delivered: ['read', 'confirmed'],
  read: ['confirmed'],
  confirmed: [],
  failed: [],
  suppressed: [],
  'no-contact': [],
  expired: [],
  cancelled: [],
}

export const mayBecome = (before: State, after: State) => before === after || later[before].includes(after)

/** whatever may follow it, at once or by way of others */
export const laterThan = (state: State) => later[state]

export const saysReached = (state: State) =>
  state === 'sent' || state === 'delivered' || state === 'read' || state === 'confirmed'
