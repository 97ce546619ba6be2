/** What the SMS of a message cost where everybody who may be sent one is: counted person by person, while a plan is worked out. */
import type { Cost, Reader, Tariffs } from '@courier-fleet/api-types'
import { createPlanCount, type Outlook } from '@courier-fleet/rules'
import { type AskingWords, tooLongOn } from '../acceptance/fitting-text.ts'
import { sentIn } from './expected-sends.ts'
import { createPaidCount, isPaid } from './paid-count.ts'

export interface MostCost {
  /** One person: on each of their channels what becomes of the message there, their address, and the further ones that it may go to. */
  add(
    onEach: ReadonlyMap<
      string,
      { readonly outlook: Outlook; readonly address: string; readonly further?: readonly string[] }
    >,
    reader: Reader,
  ): void
  /** @param size of the whole audience. @returns undefined where no channel is paid by the part, or none can take the text */
  cost(asOfMs: number, size: number): Cost | undefined
}

interface Asked {
  readonly channels: ReadonlySet<string>
  /** undefined while there is no text */
  readonly words: AskingWords | undefined
  readonly tariffs: Tariffs | null
}

export function createMostCost({ channels, words, tariffs }: Asked): MostCost {
  const paid = [...channels].find((channel) => isPaid(channel) && !(words && tooLongOn(channel, words)))
  const people = createPlanCount()
  let numbers = 0
  let owners = 0
  const prices = paid === undefined ? undefined : createPaidCount(paid, words, tariffs)
  return {
    add(onEach, reader) {
      const found = paid === undefined ? undefined : onEach.get(paid)
      people.add(found?.outlook ?? { kind: 'never', why: 'no-contact' })
      if (!found || found.outlook.kind === 'never') return
      const all = [found.address, ...(found.further ?? [])]
      owners += 1
      numbers += all.length
      for (const number of all) prices?.add(number, reader)
    },
    cost(asOfMs, size) {
      const sent = sentIn(people.plan(asOfMs, size))
      return prices?.cost(owners === 0 ? sent : Math.round((sent * numbers) / owners))
    },
  }
}
