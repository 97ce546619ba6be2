/** Gives each recipient the text in their language and with their values, where it is not the same for everybody: docs/decisions/0073. Nothing is read where it is. */
import { receiptBytes } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { evidenceOfDetail, type HowCorrected } from '@courier-fleet/store'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import type { Message, Written } from './messages.ts'

/** Somebody who is to be sent to, before it is known what they read. */
export interface Unwritten {
  readonly buffer: ClaimBuffer
  readonly person: string
  readonly ordinal: number
  readonly receipt: 'pending' | 'attempting'
  text: string
  subject?: string | undefined
  said?: Message['said']
  correction?: HowCorrected | undefined
}

/** @returns those who have a text; of whom a field has no value any more is settled in their buffers */
export async function putTextsInto<Recipient extends Unwritten>(
  chosen: Recipient[],
  directory: Pick<Directory, 'findInFull'>,
): Promise<Recipient[]> {
  const personal = chosen.filter(({ buffer }) => buffer.message.contentFor)
  if (personal.length === 0) return chosen
  const people = await directory.findInFull(personal.map(({ person }) => person))
  const without = new Set<Recipient>()
  for (const [index, recipient] of personal.entries()) {
    const { buffer, person } = recipient
    const rendered = buffer.message.contentFor?.(people[index] ?? { id: person })
    if (!rendered) continue
    if (rendered.missing) {
      without.add(recipient)
      settle(recipient, rendered.missing)
      continue
    }
    write(recipient, rendered)
  }
  return without.size === 0 ? chosen : chosen.filter((recipient) => !without.has(recipient))
}

/** Whoever has an older text is edited to the newest, and sent it below its beginning where that cannot be. */
function write(recipient: Unwritten, { content, said, followUp = '' }: Written): void {
  const { correction } = recipient
  const isFollowed = correction?.reason === 'followed-up'
  Object.assign(recipient, { text: isFollowed ? followUp : content.text, subject: content.subject, said })
  if (correction?.followUp !== undefined) recipient.correction = { ...correction, followUp }
}

/** Whoever was marked before may have been sent to. */
function settle({ buffer, ordinal, receipt }: Unwritten, missing: readonly string[]): void {
  if (receipt === 'attempting') {
    buffer.set({ ordinal, byte: receiptBytes.unknown, reason: 'courier-ended' })
    return
  }
  const evidence = evidenceOfDetail(`no value for ${missing.join(', ')}`)
  buffer.set({ ordinal, byte: receiptBytes.failed, reason: 'missing-field', evidence })
}
