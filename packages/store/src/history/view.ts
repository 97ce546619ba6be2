import type { Acceptance, HistoryState, HistoryView, MessageType, Plan } from '@courier-fleet/api-types'
import { defaultType, findType, type HistoryRef, historyKeyOf, senderLineText } from '@courier-fleet/api-types'
import { channelNames, filesView } from '@courier-fleet/channels'
import type { Redis } from '../connection/client.ts'
import { audienceIn, readAudience } from './audience.ts'
import { ceilingIn } from './ceiling.ts'
import { confirmedOf } from './confirmations.ts'
import type { CountPeople } from './count-people.ts'
import { deadlineIn } from './deadline.ts'
import { decisionsIn } from './decisions.ts'
import { channelsOf, ledgerLine } from './ledger.ts'
import { type MessageRecord, parseRecord } from './message-record.ts'
import { hashOfAudience, type PackedAudience, packAudience } from './packed-audience.ts'
import { recheckIn } from './rechecks.ts'
import type { Snapshot } from './snapshot.ts'
import { tellSteps } from './steps.ts'
import { readRecall, readVersions, textView } from './versions.ts'
import { waitingIn } from './waiting.ts'

export const dayMs = 86_400_000

/** When it was accepted, by the entry of its sender's stream. */
export const acceptedMs = (entry: string) => Number.parseInt(entry, 10)

const iso = (ms: string | number) => new Date(Number(ms)).toISOString()

interface ViewDeps {
  readonly redis: Redis
  readonly countPeople: CountPeople
  /** those that were made or changed, for their names */
  readonly types: readonly MessageType[]
}

/** What whoever puts a message is told of it: the little of a history that is known before it starts. */
export async function acceptanceOf(
  redis: Redis,
  { ref, hash }: Snapshot,
  packed: string,
  { width, sha256: kept }: Pick<MessageRecord, 'width' | 'sha256'> = parseRecord(packed),
): Promise<Acceptance> {
  const size = Number(hash.size)
  const everyone = async () => audienceIn(packed, width) ?? (await readAudience(redis, ref, width, 0, size))
  const sha256 = kept ?? (await hashOfAudience(packAudience(await everyone())))
  const times = { dueMs: Number(hash.due), expiresMs: Number(hash.expires ?? 0) }
  const plan = hash.plan ? (JSON.parse(hash.plan) as Plan) : undefined
  return tell({ ref, size, ...times, acceptedMs: acceptedMs(hash.accepted as string), plan }, sha256)
}

/** What a message was accepted with; times in Unix ms. */
interface AcceptedNow {
  readonly ref: HistoryRef
  readonly audience: PackedAudience
  readonly dueMs: number
  /** 0 = a day after due */
  readonly expiresMs: number
  readonly acceptedMs: number
  readonly plan?: Plan | undefined
}

/** The same of a message that was accepted right now, of which nothing has to be read. */
export const acceptanceNow = async ({ audience, ...message }: AcceptedNow): Promise<Acceptance> =>
  tell({ ...message, size: audience.size }, await hashOfAudience(audience))

function tell(
  { ref, size, dueMs, expiresMs, acceptedMs, plan }: Omit<AcceptedNow, 'audience'> & { readonly size: number },
  sha256: string,
): Acceptance {
  return {
    key: historyKeyOf(ref),
    audience: { size, sha256 },
    at: iso(dueMs),
    expires: iso(expiresMs || dueMs + dayMs),
    acceptedAt: iso(acceptedMs),
    ...(plan ? { plan } : {}),
  }
}

/** A history as the API shows it. */
export async function viewOf({ redis, countPeople, types }: ViewDeps, snapshot: Snapshot): Promise<HistoryView> {
  const { ref, hash, record: packed } = snapshot
  const state = hash.state as HistoryState
  if (packed === undefined) return { key: historyKeyOf(ref), state, sender: ref.sender, expected: [], channels: {} }

  const record = parseRecord(packed)
  const channels = channelsOf(hash)
  const waiting = waitingIn(hash)
  const deadline = deadlineIn(hash)
  const decisions = decisionsIn(hash)
  const counted = state === 'settled' || state === 'running' ? await countPeople(snapshot) : undefined
  const steps = tellSteps(hash, { counts: counted?.steps, ceiling: record.ceiling })
  const ceiling = ceilingIn(record, hash)
  const [accepted, versions, recalled] = await Promise.all([
    acceptanceOf(redis, snapshot, packed, record),
    readVersions(redis, snapshot),
    readRecall(redis, snapshot),
  ])
  return {
    ...accepted,
    state,
    sender: ref.sender,
    source: record.source as NonNullable<HistoryView['source']>,
    ...textView(record),
    ...(record.subject === undefined ? {} : { subject: record.subject }),
    ...(record.files ? { files: filesOf(record, channels.length > 0 ? channels : wantedIn(hash)) } : {}),
    ...(record.senderLine ? { senderLine: senderLineText(record.senderLine, 'name-and-groups', ' · ') } : {}),
    ...(hash.about ? { about: hash.about.slice(hash.about.indexOf(':') + 1) } : {}),
    ...(hash.event ? { event: eventIn(hash.event) } : {}),
    ...(record.to.length === 0 ? {} : { to: [...record.to] }),
    class: hash.class as NonNullable<HistoryView['class']>,
    ...rulesIn(record, types),
    ...(record.online === undefined ? {} : { whenOnline: record.online }),
    ...(record.recheck ? { recheck: recheckIn(record.recheck, hash) } : {}),
    ...(record.confirm ? { confirm: record.confirm, confirmed: confirmedOf(hash) } : {}),
    ...(deadline ? { deadline } : {}),
    ...(record.data ? { data: record.data } : {}),
    ...(hash.held && state === 'scheduled' ? { heldSince: iso(hash.held) } : {}),
    ...(hash.started ? { startedAt: iso(hash.started) } : {}),
    ...(hash.settled ? { settledAt: iso(hash.settled) } : {}),
    ...(hash.cancelled ? { cancelledAt: iso(hash.cancelled) } : {}),
    ...(hash['cancelled-by'] ? { cancelledBy: hash['cancelled-by'] } : {}),
    expected: (hash.expected ?? '').split(',').filter(Boolean),
    channels: Object.fromEntries(channels.map((channel) => [channel, ledgerLine(hash, channel)])),
    ...(steps ? { steps } : {}),
    ...(ceiling ? { ceiling } : {}),
    ...(waiting ? { waiting } : {}),
    ...(decisions ? { decisions } : {}),
    ...(versions ? { versions } : {}),
    ...(recalled ? { recalled } : {}),
    ...(counted ? { people: counted.people } : {}),
  }
}

/** Before it has started. */
const wantedIn = ({ channels }: Readonly<Record<string, string>>): readonly string[] =>
  channels ? channels.split(',') : channelNames

/** As schedule.lua writes it. */
function eventIn(field: string): NonNullable<HistoryView['event']> {
  const [offset, id] = field.split(' ') as [string, string]
  return { id, offset: Number(offset) }
}

function rulesIn({ rules }: MessageRecord, types: readonly MessageType[]): Partial<HistoryView> {
  const { type: id = defaultType, ...rest } = rules ?? {}
  const name = findType(types, id)?.name
  return { type: { id, ...(name ? { name } : {}) }, ...rest }
}

/** Of a text for each it is not known before how long it is for somebody. */
const filesOf = (record: MessageRecord, channels: readonly string[]) =>
  filesView(record.files ?? [], channels, record.personal ? undefined : record)
