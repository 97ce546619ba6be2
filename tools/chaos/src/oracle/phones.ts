/** What stands on phones: every message that a provider took, and what became of it when it was edited or deleted. */
import { type ShapedChannel, type ShapedPerson, shapedChannels, shapedMarkersIn } from '../shaped-messages.ts'
import type { AcceptedRow, Revision } from './api.ts'

export interface Shown {
  readonly channel: ShapedChannel
  readonly person: ShapedPerson
  /** of the messages it holds */
  readonly markers: readonly number[]
  readonly providerId: string
  /** as it was taken */
  readonly text: string
  /** Unix ms */
  readonly at: number
}

/** As it stands there now; undefined: deleted. */
export type NowOf = (shown: Shown) => string | undefined

/** what is written back to whoever confirms: it quotes the message */
const isAnswer = /^(Отмечено|Noted)/

/** @returns takes a row; undefined where it is of none of these messages */
export function createReader(people: readonly ShapedPerson[]): (row: AcceptedRow) => Shown | undefined {
  const owners = new Map<string, { channel: ShapedChannel; person: ShapedPerson }>()
  for (const person of people)
    for (const channel of shapedChannels) {
      const address = person.contacts[channel]
      if (address !== undefined) owners.set(`${channel} ${address}`, { channel, person })
    }
  return ({ channel, address, text, at, providerId }) => {
    const owner = owners.get(`${channel} ${address}`)
    if (!owner || isAnswer.test(text)) return undefined
    const markers = shapedMarkersIn(text)
    return markers.length === 0 ? undefined : { ...owner, markers, providerId, text, at }
  }
}

export function latestOf(revisions: readonly Revision[]): NowOf {
  const latest = new Map(revisions.map(({ channel, providerId, text }) => [`${channel} ${providerId}`, text]))
  return ({ channel, providerId, text }) => {
    const id = `${channel} ${providerId}`
    return latest.has(id) ? latest.get(id) : text
  }
}
