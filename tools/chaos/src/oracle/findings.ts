/** What is wrong, each wrong counted once however often it is seen. */
import type { Channel } from '../expectations.ts'
import type { Violation } from '../report.ts'

export interface Findings {
  add(violation: Violation): void
  readonly count: number
  readonly lost: number
  readonly toldFalsely: number
  readonly imbalances: number
  duplicated(channel: Channel): number
  /** in the order they were found */
  readonly list: readonly Violation[]
}

export function createFindings(): Findings {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  const list: Violation[] = []
  const countOf = (name: string) => counts.get(name) ?? 0
  return {
    add(violation) {
      const { kind, message, channel = '', person = '' } = violation
      // without a person it is about the message, of which several things may be told falsely; a ledger is wrong once
      const about = person !== '' || kind === 'imbalance' ? person : violation.what
      const id = `${kind} ${message} ${channel} ${about}`
      if (seen.has(id)) return
      seen.add(id)
      for (const name of [kind, `${kind} ${channel}`]) counts.set(name, countOf(name) + 1)
      list.push(violation)
    },
    get count() {
      return seen.size
    },
    get lost() {
      return countOf('lost')
    },
    get toldFalsely() {
      return countOf('told-falsely')
    },
    get imbalances() {
      return countOf('imbalance')
    },
    duplicated: (channel) => countOf(`duplicated ${channel}`),
    list,
  }
}
