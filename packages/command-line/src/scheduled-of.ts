/** What an owner of API keys has scheduled, and what becomes of it without one of them: no message knows by which key it was accepted. */
import type { ApiKeyView } from '@courier-fleet/api-types'
import { ApiError, type Client } from '@courier-fleet/client'
import type { Look } from './style.ts'

interface Scheduled {
  readonly count: number
  /** there may be more: so many are not looked at */
  readonly isMore: boolean
  /** ISO 8601; absent where not all were looked at */
  readonly last?: string | undefined
}

export interface LeftBehind extends Scheduled {
  readonly owner: string
  /** a person sends by their role; a system by the keys it still has */
  readonly by: 'role' | 'other-keys' | 'nothing'
}

const perPage = 100
const maxPages = 10

/** @param revoked one of `keys`, which it was before */
export async function leftBehind(
  client: Client,
  revoked: ApiKeyView,
  keys: readonly ApiKeyView[],
): Promise<LeftBehind> {
  const { owner } = revoked
  const [scheduled, isPerson] = await Promise.all([scheduledOf(client, owner), isKnown(client, owner)])
  const hasOthers = keys.some((key) => key.owner === owner && key.id !== revoked.id)
  return { owner, ...scheduled, by: isPerson ? 'role' : hasOthers ? 'other-keys' : 'nothing' }
}

async function scheduledOf(client: Client, sender: string): Promise<Scheduled> {
  let count = 0
  let last: string | undefined
  let before: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const from = before === undefined ? {} : { before }
    const { histories, next } = await client.histories({ sender, state: 'scheduled', limit: perPage, ...from })
    for (const { at } of histories) if (at !== undefined && (last === undefined || at > last)) last = at
    count += histories.length
    before = next
    if (before === undefined) return { count, isMore: false, last }
  }
  return { count, isMore: true }
}

async function isKnown(client: Client, id: string): Promise<boolean> {
  try {
    await client.person(id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.problem.status === 404) return false
    throw error
  }
}

const becomes: Readonly<Record<LeftBehind['by'], (owner: string) => string>> = {
  role: (owner) =>
    `It goes out all the same, with whichever key it was accepted: ${owner} is a person, and sends by their role.`,
  'other-keys': () =>
    'It goes out all the same, but where its other keys may write to fewer people: then it is held when it falls due, for an operator to decide.',
  nothing: () => 'It is held when it falls due, for an operator to decide: no other key is left to send it by.',
}

export function leftBehindLines(
  { owner, count, isMore, last, by }: LeftBehind,
  { moment }: Pick<Look, 'moment'>,
): string[] {
  if (count === 0 && !isMore) return [`${owner} has nothing scheduled.`]
  const many = isMore ? `${count} messages or more` : `${count} ${count === 1 ? 'message' : 'messages'}`
  const until = last === undefined ? '' : `, ${count === 1 ? 'due' : 'the last due'} ${moment(last)}`
  return [
    `${owner} has ${many} scheduled${until}. ${becomes[by](owner)}`,
    `See them: fleet list --sender ${owner} · Cancel one: fleet cancel <key>`,
  ]
}
