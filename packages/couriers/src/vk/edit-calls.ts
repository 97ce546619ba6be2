/** From edits to calls of messages.edit, one each, and back to their outcomes. */
import { splitText } from '@courier-fleet/api-types'
import { vk } from '@courier-fleet/channels'
import type { Edit, Outcome } from '../courier.ts'
import type { EditCall } from './execute.ts'
import { isPeerId } from './peer-batches.ts'

const notEditable: Outcome = { kind: 'rejected', class: 'refused', detail: 'several-parts: only one message is edited' }

export interface EditCalls {
  readonly calls: readonly EditCall[]
  /** @returns one outcome for each edit, in order; of what is not asked of VK why not */
  outcomes(answers: readonly (readonly Outcome[])[]): Outcome[]
}

export function editCallsOf(edits: readonly Edit[]): EditCalls {
  const asked = edits.map(callOf)
  return {
    calls: asked.filter((call) => call !== undefined),
    outcomes(answers) {
      let at = 0
      return asked.map((call) => (call ? (answers[at++]?.[0] as Outcome) : notEditable))
    },
  }
}

/** @returns nothing where the one or the other text takes several messages */
function callOf({ class: cls, address, text, providerId }: Edit): EditCall | undefined {
  const isOne = /^[1-9]\d{0,15}$/.test(providerId) && splitText(text, vk.text.maxPieceUnits).length === 1
  return isOne && isPeerId(address) ? { class: cls, messageId: providerId, text, peers: [address] } : undefined
}
