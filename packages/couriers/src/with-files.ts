/** Sends what has files: they are uploaded first, and whoever cannot have one with the message has its link below the text. */
import type { MessageFile } from '@courier-fleet/api-types'
import { withLinks } from '@courier-fleet/channels'
import type { Give, Given, Item, Outcome, Uploads } from './courier.ts'

/** Beside its text: what the provider calls the files that go with it. */
export interface Attached {
  readonly references?: readonly string[] | undefined
}

export interface WithFiles {
  readonly channel: string
  readonly uploads: Uploads
  readonly give: Give
  /** whether it says that the provider does not know a reference any more, where it lets them expire */
  readonly isExpired?: ((outcome: Outcome) => boolean) | undefined
}

/** One try of a batch. */
interface Sending<Some extends Item> {
  readonly items: readonly Some[]
  /** how long files are waited for */
  readonly waitMs: number
  readonly signal: AbortSignal
  readonly send: (items: readonly (Some & Attached)[]) => Promise<Outcome[]>
}

type Found = Awaited<ReturnType<Uploads['upload']>>

/** @returns one outcome for each item, in order */
export async function sendWithFiles<Some extends Item>(sending: Sending<Some>, deps: WithFiles): Promise<Outcome[]> {
  const { items, send } = sending
  if (!items.some(({ files }) => files)) return send(items)
  const found = await uploadAll(sending, deps)
  const outcomes: Outcome[] = new Array(items.length)
  const ready: { at: number; item: Some & Attached }[] = []
  for (const [at, item] of items.entries()) {
    const late = item.files?.map(({ id }) => found.get(id)).find((each) => each?.kind === 'later')
    if (late?.kind === 'later') outcomes[at] = late.outcome
    else ready.push({ at, item: attached(item, found, deps.channel) })
  }
  const put = (answers: readonly Outcome[], whose: readonly { at: number }[]) => {
    for (const [index, { at }] of whose.entries()) outcomes[at] = answers[index] as Outcome
  }
  put(await send(ready.map(({ item }) => item)), ready)
  const expired = ready.filter(({ at, item }) => item.references && deps.isExpired?.(outcomes[at] as Outcome))
  if (expired.length > 0) put(await sendAnew(sending, deps, expired, found), expired)
  // the provider may not like the file rather than the text: nobody goes without the text for that
  const refused = ready.filter(({ at, item }) => item.references && isRefused(outcomes[at]))
  if (refused.length > 0) put(await send(refused.map(({ at }) => linked(items[at] as Some, deps.channel))), refused)
  return outcomes
}

/** With files that are uploaded anew, once. */
async function sendAnew<Some extends Item>(
  sending: Sending<Some>,
  deps: WithFiles,
  expired: readonly { readonly at: number }[],
  found: ReadonlyMap<string, Found>,
): Promise<Outcome[]> {
  const items = expired.map(({ at }) => sending.items[at] as Some)
  const files = new Map(items.flatMap((item) => (item.files ?? []).map((file) => [file.id, file] as const)))
  await Promise.all(
    [...files.values()].map(async (file) => {
      const given = found.get(file.id)
      if (given?.kind === 'given') await deps.uploads.forget(file, given.reference)
    }),
  )
  return sendWithFiles({ ...sending, items }, { ...deps, isExpired: undefined })
}

const isRefused = (outcome?: Outcome) => outcome?.kind === 'rejected' && outcome.class === 'refused'

async function uploadAll<Some extends Item>(
  { items, waitMs, signal }: Sending<Some>,
  { uploads, give }: WithFiles,
): Promise<Map<string, Found>> {
  const wanted = new Map(items.flatMap(({ files = [] }) => files.map((file) => [file.id, file] as const)))
  const found = await Promise.all(
    [...wanted.values()].map(async (file) => [file.id, await uploads.upload(file, give, waitMs, signal)] as const),
  )
  return new Map(found)
}

function attached<Some extends Item>(item: Some, found: ReadonlyMap<string, Found>, channel: string): Some & Attached {
  if (!item.files) return item
  const references: string[] = []
  const links: MessageFile[] = []
  for (const file of item.files) {
    const given = found.get(file.id)
    if (given?.kind === 'given') references.push(given.reference)
    else links.push(file)
  }
  return {
    ...item,
    text: withLinks(channel, item.text, links),
    ...(references.length > 0 ? { references } : {}),
  }
}

const linked = <Some extends Item>(item: Some, channel: string): Some => ({
  ...item,
  text: withLinks(channel, item.text, item.files ?? []),
})

/** What has come of a call on the way to an upload that was not answered as it should be. */
export function insteadOf(outcome: Outcome): Exclude<Given, { kind: 'given' }> {
  if (outcome.kind === 'rejected') return { kind: 'refused', detail: outcome.detail }
  if (outcome.kind === 'throttled' || outcome.kind === 'not-sent') return { kind: 'later', outcome }
  return { kind: 'failed', why: outcome.kind === 'unknown' ? outcome.why : 'the provider did not answer' }
}
