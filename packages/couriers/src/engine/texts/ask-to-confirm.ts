/** Asks people to confirm a message, as its channel can: by a button or a link, or by an answer with a number. Nothing is read where no message asks for it. */
import { confirmButton } from '@courier-fleet/api-types'
import { askedOn } from '@courier-fleet/channels/asked'
import type { Directory } from '@courier-fleet/directory'
import { ask, type Confirmation, confirmLinkSigner, confirmSigner, type Redis } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import type { Recipient, RecipientsDeps } from '../jobs/recipients.ts'

type PutAsksInto = NonNullable<RecipientsDeps['putAsksInto']>

export interface AskDeps {
  readonly redis: Redis
  readonly courier: Pick<Courier, 'channel' | 'asksBy'>
  readonly directory: Pick<Directory, 'findPeople'>
}

/** @returns undefined where the courier cannot ask */
export async function createPutAsks({ redis, courier, directory }: AskDeps): Promise<PutAsksInto | undefined> {
  if (courier.asksBy === 'number') return ofAsking((asked) => putNumbersInto(asked, redis, courier.channel))
  const tokenOf = courier.asksBy && (await (courier.asksBy === 'link' ? confirmLinkSigner : confirmSigner)(redis))
  return tokenOf && ofAsking((asked) => putTokensInto(asked, tokenOf, directory))
}

const ofAsking =
  (put: PutAsksInto): PutAsksInto =>
  async (chosen) => {
    // what is withdrawn is confirmed by nobody any more
    const asked = chosen.filter(({ buffer: { message } }) => message.confirm && message.recall === undefined)
    if (asked.length > 0) await put(asked)
  }

const confirmationOf = (
  { claim: { ref }, message: { version } }: Recipient['buffer'],
  ordinal: number,
): Confirmation => ({
  ref,
  ordinal,
  version,
})

/** In the language of each. */
async function putTokensInto(
  asked: readonly Recipient[],
  tokenOf: (confirmation: Confirmation, address: string) => string,
  directory: AskDeps['directory'],
): Promise<void> {
  const people = await directory.findPeople(asked.map(({ person }) => person))
  for (const [index, recipient] of asked.entries()) {
    const { buffer, ordinal } = recipient
    const label = confirmButton(buffer.message.confirm ?? true, people[index]?.language ?? '')
    recipient.confirm = { label, token: tokenOf(confirmationOf(buffer, ordinal), recipient.address) }
  }
}

/** The number is kept before the text goes out: an answer finds it however soon it comes. */
async function putNumbersInto(asked: readonly Recipient[], redis: Redis, channel: string): Promise<void> {
  await Promise.all(
    asked.map(async (recipient) => {
      const { buffer, ordinal, person } = recipient
      const number = await ask(redis, person, confirmationOf(buffer, ordinal))
      recipient.text = askedOn(channel, recipient.text, buffer.message.confirm, number)
    }),
  )
}
