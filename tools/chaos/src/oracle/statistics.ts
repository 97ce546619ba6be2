/**
 * Statistics beside a recount of all receipts, hour by hour. A receipt says what it is now, why, and since when, and nothing of what it was
 * before. So, of each channel:
 *
 * - whoever a message began for in an hour is counted as pending in it, exactly;
 * - whoever stays in a state is counted in the hour they came to it, with their reason. Beside them those may be counted who have left it
 *   since; in all hours they are as many as are counted as having left, so that each number of a state which nobody has left is exact;
 * - at the end of each hour at least those are in a state who came to it by then and stay, and at the end of the last nobody else;
 * - whoever leaves a state in an hour comes to one that may follow it in the same hour, so that no more leave, and nobody a last state;
 *   but for those whose first phone has failed and who went on to the next in that step: of these their receipts tell when.
 *
 * Of those who went on (sent, and then delivered) it cannot be recounted when they came to the state before, when they left it, and why they
 * were in it: the above only bounds it.
 */
import { type Channel, channels } from '../expectations.ts'
import type { StatisticsRow } from './api.ts'
import type { SeveralPhones } from './receipts.ts'
import { hourOf, readSince, type Since } from './since.ts'
import { laterThan, type State, states } from './states.ts'
import type { Watched } from './watched.ts'

type Looked = Pick<Watched, 'message' | 'view' | 'since' | 'severalPhones'>

/** Where they differ, the sums of all hours first. @param rows of messages that were looked at, and of no others */
export function miscounts(
  rows: readonly StatisticsRow[],
  looked: readonly Looked[],
): { channel: Channel; what: string }[] {
  return channels.flatMap((channel) => {
    const both: Both = {
      rows: rows.filter((row) => row.channel === channel),
      stay: looked.flatMap(({ since }) => [...readSince(since)]).filter((each) => each.channel === channel),
      began: looked.flatMap((each) => beganOn(channel, each)),
      wentOn: channel === 'sms' ? looked.flatMap(({ severalPhones }) => [...wentOnIn(severalPhones)]) : [],
    }
    const hours = [...new Set([...both.rows, ...both.stay, ...both.began].map(({ hour }) => hour))].sort()
    const found = [
      ...wrongNow(both),
      ...hours.flatMap((hour) => [...wrongInHour(both, hour), ...wrongByEndOf(both, hour)]),
    ]
    return found.map((what) => ({ channel, what }))
  })
}

/** what is told and what was recounted, of one channel */
interface Both {
  readonly rows: readonly StatisticsRow[]
  readonly stay: readonly (Since & { readonly people: number })[]
  readonly began: readonly { readonly hour: string; readonly people: number }[]
  /** to their next phone, when the one before had failed */
  readonly wentOn: readonly { readonly hour: string }[]
}

/** once told something, a receipt is pending no more */
const told = states.filter((state) => state !== 'pending')

const beganOn = (channel: Channel, { message, view }: Looked): Both['began'] =>
  view?.startedAt !== undefined && message.channels.includes(channel)
    ? [{ hour: hourOf(view.startedAt), people: message.audience.length }]
    : []

function* wentOnIn(severalPhones: SeveralPhones): Generator<{ hour: string }> {
  for (const { earlier = [] } of severalPhones.values()) for (const { at = '' } of earlier) yield { hour: hourOf(at) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const isIn = (state: State) => (each: Since) => each.state === state
const people = (some: readonly { readonly people: number }[]) => sum(some.map((each) => each.people))

const came = (rows: readonly StatisticsRow[], of: readonly State[]) =>
  sum(rows.flatMap((row) => of.map((state) => row.came[state] ?? 0)))
const left = (rows: readonly StatisticsRow[], of: readonly State[]) =>
  sum(rows.flatMap((row) => of.map((state) => row.left[state] ?? 0)))
const inState = (rows: readonly StatisticsRow[], state: State) => came(rows, [state]) - left(rows, [state])

function* wrongNow({ rows, stay }: Both): Generator<string> {
  for (const state of told) {
    const [counted, recounted] = [inState(rows, state), people(stay.filter(isIn(state)))]
    if (counted !== recounted) yield `statistics count ${counted} ${state}; the receipts of all messages ${recounted}`
  }
}

function* wrongInHour({ rows, stay, began, wentOn }: Both, hour: string): Generator<string> {
  const isThen = (each: { readonly hour: string }) => each.hour === hour
  const [rowsThen, stayThen] = [rows.filter(isThen), stay.filter(isThen)]
  const say = (what: string) => `in the hour from ${hour} statistics count ${what}`
  const pending = people(began.filter(isThen))
  if (came(rowsThen, ['pending']) !== pending)
    yield say(`${came(rowsThen, ['pending'])} for whom a message began; it did for ${pending}`)
  for (const reason of new Set(stayThen.map((each) => each.reason))) {
    const isOf = (each: { readonly reason?: string }) => (each.reason ?? '') === reason
    const [rowsOf, stayOf] = [rowsThen.filter(isOf), stayThen.filter(isOf)]
    for (const state of told) {
      const [counted, recounted] = [came(rowsOf, [state]), people(stayOf.filter(isIn(state)))]
      if (counted < recounted)
        yield say(`${counted} who came to ${state} (${reason || 'no reason'}); ${recounted} stay so`)
    }
  }
  for (const state of told) {
    const next = laterThan(state)
    // nobody is counted as coming to pending anew
    const pendingAnew = state === 'failed' ? wentOn.filter(isThen).length : 0
    const [gone, arrived] = [left(rowsThen, [state, ...next]), came(rowsThen, next) + pendingAnew]
    if (gone > arrived)
      yield say(`${gone} who went on from ${state} or what follows it, and ${arrived} who came to that`)
  }
}

function* wrongByEndOf({ rows, stay }: Both, hour: string): Generator<string> {
  const isBy = (each: { readonly hour: string }) => each.hour <= hour
  const [rowsBy, stayBy] = [rows.filter(isBy), stay.filter(isBy)]
  for (const state of told) {
    const [counted, recounted] = [inState(rowsBy, state), people(stayBy.filter(isIn(state)))]
    if (counted < recounted)
      yield `by the end of the hour from ${hour} statistics count ${counted} ${state}; ${recounted} were, and stay so`
  }
}
