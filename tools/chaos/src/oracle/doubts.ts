/** Messages that were asked for and never answered: whether they exist after all. */
import { type Expectations, type Message, markerIn } from '../expectations.ts'
import type { Api } from './api.ts'

/** Looks for those entered from `marker` on; whichever exists is held to be accepted from now on. */
export async function resolveDoubts(expectations: Expectations, api: Api, marker: number): Promise<void> {
  const doubtful = expectations.messages
    .slice(marker)
    .filter(({ standing }) => standing === 'unanswered' || standing === 'asked')
  const keyless = new Map<number, Message>()
  for (const message of doubtful) {
    if (message.key === undefined) keyless.set(message.marker, message)
    else await lookUp(message, message.key, api)
  }
  if (keyless.size > 0) await findInList(keyless, expectations, api)
}

async function lookUp(message: Message, key: string, api: Api): Promise<void> {
  const view = await api.history(key)
  if (view && view.state !== 'issued' && view.text === message.text) message.standing = 'accepted'
}

/** Newest first, until what was accepted before the first of them was asked for. */
async function findInList(
  keyless: ReadonlyMap<number, Message>,
  { clocksApartMs }: Expectations,
  api: Api,
): Promise<void> {
  const askedMs = Math.min(...Array.from(keyless.values(), (message) => message.askedMs))
  const oldestMs = askedMs - clocksApartMs
  for await (const page of api.histories()) {
    for (const { key, text } of page) {
      const message = keyless.get(markerIn(text ?? '') ?? -1)
      if (message) Object.assign(message, { key, standing: 'accepted' } satisfies Partial<Message>)
    }
    if (page.some(({ acceptedAt }) => acceptedAt !== undefined && Date.parse(acceptedAt) < oldestMs)) return
  }
}
