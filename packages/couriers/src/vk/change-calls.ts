/** From messages that people have to calls of messages.edit or messages.delete, and back to their outcomes. */
import { vk } from '@courier-fleet/channels'
import { isEditable } from '@courier-fleet/channels/changes'
import type { Edit, Outcome } from '../courier.ts'
import type { Attached } from '../with-files.ts'
import { confirmKeyboard } from './confirm-keyboard.ts'
import type { ChangeCall } from './execute.ts'
import { attachmentOf, isPeerId } from './peer-batches.ts'

const notEditable: Outcome = { kind: 'rejected', class: 'refused', detail: 'several-parts: only one message is edited' }

export interface ChangeCalls {
  readonly calls: readonly ChangeCall[]
  /** @returns one outcome for each message, in order; of what is not asked of VK why not */
  outcomes(answers: readonly (readonly Outcome[])[]): Outcome[]
}

/** One of each; none where the one or the other text takes several messages. */
export const editCallsOf = (edits: readonly (Edit & Attached)[]): ChangeCalls =>
  changeCallsOf(edits, (edit) => {
    if (!isEditable(vk.name, edit.providerId, edit.text)) return []
    const keyboard = edit.confirm && confirmKeyboard(edit.confirm)
    const attachment = attachmentOf(edit)
    const beside = {
      ...(keyboard === undefined ? {} : { keyboard }),
      ...(attachment === undefined ? {} : { attachment }),
    }
    return [{ ...idsOf(edit, edit.providerId), text: edit.text, ...beside }]
  })

/** One of each part. */
export const deleteCallsOf = (messages: readonly Edit[]): ChangeCalls =>
  changeCallsOf(messages, (message) => message.providerId.split(',').map((id) => idsOf(message, id)))

const idsOf = ({ class: cls, address }: Edit, messageId: string): ChangeCall => ({
  class: cls,
  messageId,
  peers: [address],
})

function changeCallsOf<Some extends Edit>(
  messages: readonly Some[],
  ofOne: (message: Some) => readonly ChangeCall[],
): ChangeCalls {
  const asked = messages.map((message) => (isPeerId(message.address) ? ofOne(message) : []))
  return {
    calls: asked.flat(),
    outcomes(answers) {
      let at = 0
      return messages.map(({ providerId }, i) => {
        const own = (asked[i] ?? []).map(() => answers[at++]?.[0] as Outcome)
        if (own.length === 0) return notEditable
        return own.find(({ kind }) => kind !== 'sent') ?? { kind: 'sent', providerId }
      })
    },
  }
}
