/** How a receiver treats a call: as its URL says, as its phone is, or as a fault of the World has it. */
import type { Phone } from '../stand-in.ts'

export type Reply =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** nothing is said at all */
  | { readonly kind: 'silence' }
  /** the connection is closed instead */
  | { readonly kind: 'cut' }
  /** 200, and then a body that does not end */
  | { readonly kind: 'endless' }

export interface Behaviour {
  /** whether it took the message, whatever it answers */
  readonly takes: boolean
  readonly reply: Reply
  readonly afterMs?: number
}

const takes = (reply: Reply, afterMs?: number): Behaviour => ({ takes: true, reply, ...(afterMs ? { afterMs } : {}) })
const leaves = (reply: Reply): Behaviour => ({ takes: false, reply })
const status = (code: number, headers: Readonly<Record<string, string>> = {}): Reply => {
  return { kind: 'status', status: code, headers }
}

const taken = takes(status(200))
export const cut = leaves({ kind: 'cut' })
export const takenAndCut = takes({ kind: 'cut' })
export const silent = leaves({ kind: 'silence' })
export const refused = (code: number): Behaviour => leaves(status(code))
/** asks to be left alone for so long */
export const busy = (seconds: number): Behaviour => leaves(status(429, { 'retry-after': String(seconds) }))

/** the first part of a URL's path: anything else is a receiver that takes what it is sent */
export const behaviours = {
  ok: taken,
  slow: takes(status(200), 3000),
  hang: silent,
  moved: leaves(status(302, { location: '/ok' })),
  gone: refused(410),
  error: refused(500),
  busy: busy(5),
  huge: takes({ kind: 'endless' }),
  cut: takenAndCut,
} as const satisfies Readonly<Record<string, Behaviour>>

export type BehaviourName = keyof typeof behaviours
export const behaviourNames = Object.keys(behaviours) as BehaviourName[]

export function behaviourOf(path: string): Behaviour {
  const name = path.split('/')[1] ?? ''
  return Object.hasOwn(behaviours, name) ? behaviours[name as BehaviourName] : taken
}

/** What a receiver does in this state; undefined when it does as its URL says. */
export function behaviourIn({ state }: Phone): Behaviour | undefined {
  if (state === 'ok') return undefined
  return state === 'off' ? cut : behaviours.gone
}
