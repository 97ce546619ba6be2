/** To the fleet that has started this sandbox and lets itself be troubled: over the channel between parent and child. */
import type { EventEmitter } from 'node:events'

export interface FleetLink {
  /** whether there is such a fleet */
  isThere(): boolean
  /** @throws Error with the words of the fleet when it refuses, or when it does not answer in time */
  ask(what: string, details?: Readonly<Record<string, string>>): Promise<unknown>
}

type Parent = Pick<EventEmitter, 'on'> & { send?(message: unknown, done: () => void): unknown }

interface Told {
  readonly here?: true
  readonly id?: number
  readonly answer?: unknown
  readonly refusal?: string
}

const answerWithinMs = 5000

export function linkFleet(parent: Parent): FleetLink {
  let isHere = false
  let lastId = 0
  const waiting = new Map<number, (told: Told) => void>()

  parent.on('message', (message: { fleet?: Told } | null) => {
    const told = message?.fleet
    if (told?.here) isHere = true
    else if (told?.id !== undefined) waiting.get(told.id)?.(told)
  })

  return {
    isThere: () => isHere,
    async ask(what, details = {}) {
      const id = ++lastId
      const told = await new Promise<Told>((resolve) => {
        const timer = setTimeout(resolve, answerWithinMs, { refusal: 'the fleet does not answer' })
        waiting.set(id, (answer) => {
          clearTimeout(timer)
          resolve(answer)
        })
        parent.send?.({ fleet: { ...details, id, what } }, () => {})
      }).finally(() => waiting.delete(id))
      if (told.refusal !== undefined) throw new Error(told.refusal)
      return told.answer
    },
  }
}
