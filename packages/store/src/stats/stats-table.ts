/** Statistics as people ask for them: hours, types, channels and reasons summed, but for those they want to see apart. */
import type { Passed, ReceiptState, StatsDimension, StatsView } from '@courier-fleet/api-types'
import type { ReceiptGlance } from '../history/histories.ts'
import { latenessBounds, readStatField, type StatField, type Sums } from './fields.ts'
import { hourMs } from './read-stats.ts'

export interface StatsQuestion {
  /** what is seen apart */
  readonly by: ReadonlySet<StatsDimension>
  /** only these */
  readonly type?: string | undefined
  readonly channel?: string | undefined
}

type Rows = Pick<StatsView, 'messages' | 'receipts' | 'deadlines' | 'lateness' | 'channelLateness'>
type Row<K extends keyof Rows> = NonNullable<Rows[K]>[number]

export const isoOfHour = (hour: number) => new Date(hour * hourMs).toISOString()

/** Rows in the order of their hours, types, channels and reasons. */
export function statsTable(hours: ReadonlyMap<number, Sums>, question: StatsQuestion): Rows {
  const messages = new Map<string, Row<'messages'>>()
  const receipts = new Map<string, Row<'receipts'>>()
  const deadlines = new Map<string, Row<'deadlines'>>()
  const lateness = new Map<string, LatenessSum>()
  const onChannels = new Map<string, LatenessSum>()
  for (const { hour, sums } of question.by.has('hour') ? apart(hours) : together(hours)) {
    for (const [name, by] of sums) {
      const field = readStatField(name)
      if (field.of === 'lateness' && field.channel === undefined) addLateness(lateness, field, hour, by)
      else if (field.of === 'lateness') {
        const isWanted = question.channel === undefined || question.channel === field.channel
        if (isWanted && question.by.has('channel')) addLateness(onChannels, field, hour, by)
      } else if (question.type !== undefined && field.type !== question.type) continue
      else if (field.of === 'messages') addMessages(messages, field, question, hour, by)
      else if (question.channel !== undefined && field.channel !== question.channel) continue
      else if (field.of === 'deadline') addDeadline(deadlines, field, question, hour, by)
      else addReceipts(receipts, field, question, hour, by)
    }
  }
  return {
    messages: inOrder(messages),
    receipts: inOrder(receipts),
    deadlines: inOrder(deadlines),
    lateness: inOrder(lateness).map(latenessRow),
    ...(question.by.has('channel')
      ? { channelLateness: inOrder(onChannels).map((sum) => ({ channel: sum.channel ?? '', ...latenessRow(sum) })) }
      : {}),
  }
}

interface Counted {
  /** ISO 8601; undefined: all of them */
  readonly hour?: string
  readonly sums: Sums
}

const apart = (hours: ReadonlyMap<number, Sums>): Counted[] =>
  [...hours].map(([hour, sums]) => ({ hour: isoOfHour(hour), sums }))

/** Added up field by field: the hours of a week have the same thousand fields. */
function together(hours: ReadonlyMap<number, Sums>): Counted[] {
  const sums = new Map<string, number>()
  for (const each of hours.values()) for (const [name, by] of each) sums.set(name, (sums.get(name) ?? 0) + by)
  return [{ sums }]
}

const inOrder = <T>(rows: ReadonlyMap<string, T>): T[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

/** The row of this name, made where it is missing. */
function rowOf<T>(rows: Map<string, T>, name: string, make: () => T): T {
  const found = rows.get(name) ?? make()
  rows.set(name, found)
  return found
}

const given = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<K, V>>

function addMessages(
  rows: Map<string, Row<'messages'>>,
  field: Extract<StatField, { of: 'messages' }>,
  { by }: StatsQuestion,
  hour: string | undefined,
  sum: number,
): void {
  const type = by.has('type') ? field.type : undefined
  const row = rowOf(rows, `${hour ?? ''} ${type ?? ''}`, () => ({
    ...given('type', type),
    ...given('hour', hour),
    accepted: 0,
    acceptedPeople: 0,
    cancelled: 0,
    cancelledPeople: 0,
  }))
  row[field.counts === 'people' ? (`${field.what}People` as const) : field.what] += sum
}

function addReceipts(
  rows: Map<string, Row<'receipts'>>,
  field: Extract<StatField, { of: 'receipts' }>,
  { by }: StatsQuestion,
  hour: string | undefined,
  sum: number,
): void {
  const type = by.has('type') ? field.type : undefined
  const channel = by.has('channel') ? field.channel : undefined
  const reason = by.has('reason') ? field.reason : undefined
  const row = rowOf(rows, `${hour ?? ''} ${type ?? ''} ${channel ?? ''} ${reason ?? ''}`, () => ({
    ...given('type', type),
    ...given('channel', channel),
    ...given('reason', reason),
    ...given('hour', hour),
    came: {},
    ...given('passed', by.has('reason') ? undefined : { sent: 0, delivered: 0, read: 0, confirmed: 0 }),
    left: {},
  }))
  const counts: Partial<Record<ReceiptState, number>> = field.did === 'come' ? row.came : row.left
  counts[field.state] = (counts[field.state] ?? 0) + sum
  if (row.passed) addPassed(row.passed, field, field.did === 'come' ? sum : -sum)
}

/** Reasons are of receipts. */
function addDeadline(
  rows: Map<string, Row<'deadlines'>>,
  field: Extract<StatField, { of: 'deadline' }>,
  { by }: StatsQuestion,
  hour: string | undefined,
  sum: number,
): void {
  const type = by.has('type') ? field.type : undefined
  const channel = by.has('channel') ? field.channel : undefined
  const row = rowOf(rows, `${hour ?? ''} ${type ?? ''} ${channel ?? ''}`, () => ({
    ...given('type', type),
    ...given('channel', channel),
    ...given('hour', hour),
    inTime: 0,
    late: 0,
  }))
  row[field.was] += sum
}

const steps: readonly (keyof Passed)[] = ['sent', 'delivered', 'read', 'confirmed']

/** The steps that a receipt has passed; who is reported undelivered had been sent to. */
export function stepsPassed({ state, reason }: Pick<ReceiptGlance, 'state' | 'reason'>): readonly (keyof Passed)[] {
  return steps.slice(0, 1 + (reason === 'undelivered' ? 0 : steps.indexOf(state as keyof Passed)))
}

/** Who goes from one state to a further one has come and left, and counts once. */
function addPassed(funnel: Passed, field: Extract<StatField, { of: 'receipts' }>, by: number): void {
  for (const step of stepsPassed(field)) funnel[step] += by
}

interface LatenessSum {
  readonly channel: string | undefined
  readonly class: string
  readonly hour?: string
  readonly counts: Map<string, number>
}

function addLateness(
  rows: Map<string, LatenessSum>,
  { channel, class: cls, bound }: Extract<StatField, { of: 'lateness' }>,
  hour: string | undefined,
  sum: number,
): void {
  const { counts } = rowOf(rows, `${hour ?? ''} ${channel ?? ''} ${cls}`, () => ({
    channel,
    class: cls,
    ...given('hour', hour),
    counts: new Map(),
  }))
  counts.set(bound, (counts.get(bound) ?? 0) + sum)
}

function latenessRow({ class: cls, hour, counts }: LatenessSum): Row<'lateness'> {
  const buckets = [
    ...latenessBounds.map((atMost) => ({ atMost, messages: counts.get(String(atMost)) ?? 0 })),
    { messages: counts.get('more') ?? 0 },
  ]
  const all = buckets.reduce((sum, { messages }) => sum + messages, 0)
  return { class: cls, ...given('hour', hour), buckets, meanSeconds: (counts.get('us') ?? 0) / 1e6 / Math.max(1, all) }
}
