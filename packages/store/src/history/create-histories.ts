import type { HistoryState, HistoryView } from '@courier-fleet/api-types'
import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys, newHistoryKey } from '../keys.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import { acceptedMessage } from './accepted-message.ts'
import { confirm } from './confirmations.ts'
import { correct } from './correct.ts'
import { createCountPeople } from './count-people.ts'
import { countFlows, readFlow } from './flow.ts'
import { glanceAt } from './glance.ts'
import { callForward, cancelHeld } from './held.ts'
import type { Histories, PutInput } from './histories.ts'
import { issue, type Put, release, reschedule } from './history-scripts.ts'
import { peopleReached, peopleWithout } from './known-people.ts'
import { listHeld, listNewest } from './list-newest.ts'
import { parseRecord } from './message-record.ts'
import { namedSince } from './named-since.ts'
import { retry } from './not-taken.ts'
import { placeHistory, placeReminder, standingReminder } from './placed.ts'
import { createPutMessages } from './put-messages.ts'
import { recall } from './recall.ts'
import { readReceipts } from './receipts.ts'
import { receiptsOfPerson } from './receipts-of-person.ts'
import { recount } from './recount.ts'
import { createSentTo } from './sent-to.ts'
import { readSnapshot } from './snapshot.ts'
import { readStandings, standingsOf } from './standings.ts'
import { takeBack, wasTakenBack } from './taken-back.ts'
import { tellByVoice } from './told-by-voice.ts'
import { resend, resolve } from './unknown-receipts.ts'
import { acceptanceOf, viewOf } from './view.ts'

/** An issued key may wait this long for its message. */
const unusedMs = 86_400_000

interface HistoriesDeps {
  readonly redis: Redis
  readonly shards: number
  /** for the names of types; a view has them of those alone that are always there when absent */
  readonly settings?: Pick<LiveSettings, 'current'>
}

export function createHistories(deps: HistoriesDeps): Histories {
  const { redis, shards, settings } = deps
  const putMany = createPutMessages(redis)
  const countPeople = createCountPeople(redis)

  async function put(input: PutInput): Promise<Put> {
    const [outcome] = await putMany([input])
    if (outcome instanceof Error) throw outcome
    return outcome as Put
  }

  const view: Histories['view'] = (snapshot, how) => {
    const types = settings?.current().types ?? []
    return viewOf({ redis, types, countPeople: (each) => countPeople(each, how) }, snapshot)
  }

  async function viewAt(ref: HistoryRef): Promise<HistoryView | undefined> {
    const snapshot = await readSnapshot(redis, ref)
    return snapshot && view(snapshot, { recent: true })
  }

  return {
    async issue(sender) {
      const key = newHistoryKey(sender, shards)
      await issue(redis, parseHistoryKey(key), unusedMs)
      return key
    },
    put,
    putMany,
    snapshot: (ref) => readSnapshot(redis, ref),
    view,
    async acceptance(ref) {
      const snapshot = await readSnapshot(redis, ref)
      return snapshot?.record === undefined ? undefined : acceptanceOf(redis, snapshot, snapshot.record)
    },
    message: (snapshot) => acceptedMessage(redis, snapshot),
    peopleWithout: (snapshot, kind) => peopleWithout(redis, snapshot, kind),
    peopleReached: (sender, sinceMs) => peopleReached({ redis, shards }, sender, sinceMs),
    addressedTo: ({ record }) => (record === undefined ? [] : parseRecord(record).to),
    receipts: (snapshot, page) => readReceipts(redis, snapshot, page),
    ofPerson: (refs, person) => receiptsOfPerson(redis, refs, person),
    namedSince: (people, sinceMs) => namedSince(deps, people, sinceMs),
    flow: (snapshot, page) => readFlow(redis, snapshot, page),
    countFlows: (snapshot) => countFlows(redis, snapshot),
    standings: standingsOf,
    readStandings: (snapshot, standings, from) => readStandings(redis, snapshot, standings, from),
    state: async (ref) => ((await redis.hget(keys.history(ref), 'state')) ?? undefined) as HistoryState | undefined,
    place: (sender, id, together) => placeHistory({ redis, shards }, sender, id, together),
    placeReminder: (sender, about, idAfter) => placeReminder({ redis, shards }, sender, about, idAfter),
    reminder: (like, about) => standingReminder(redis, like, about),
    async accepted(ref) {
      const [digest, cancelled] = await redis.hmget(keys.history(ref), 'digest', 'cancelled')
      return { ...(digest ? { digest } : {}), ...(cancelled ? { cancelledMs: Number(cancelled) } : {}) }
    },
    cancel: (ref, by, unstarted = false) => takeBack(redis, ref, { by, unstarted }),
    recall: (ref, by) => recall(redis, ref, by),
    wasTakenBack: (ref) => wasTakenBack(redis, ref),
    resolve: (snapshot, receipts, outcome) => resolve(redis, snapshot, receipts, outcome),
    resend: (snapshot, receipts) => resend(redis, snapshot, receipts),
    tellByVoice: (snapshot, person, by) => tellByVoice(redis, snapshot, person, by),
    confirm: (snapshot, by) => confirm(redis, snapshot, by),
    correct: (snapshot, how) => correct(redis, snapshot, how),
    retry: (snapshot, how) => retry(redis, snapshot, how),
    release: (ref, by) => release(redis, ref, by),
    callForward: (ref, cause, by) => callForward(redis, ref, cause, by),
    cancelHeld: (ref, cause, by) => cancelHeld(redis, ref, cause, by),
    sentTo: createSentTo(redis),
    async reschedule(ref, dueMs, plan) {
      await reschedule(redis, ref, dueMs, plan && JSON.stringify(plan))
    },
    list: (sender, before, count) => listNewest({ redis, shards }, sender, before, count),
    listHeld: (sender, before) => listHeld({ redis, shards }, sender, before),
    glances: (refs, how) => Promise.all(refs.map((ref) => glanceAt(redis, ref, how))),
    views: async (refs) => (await Promise.all(refs.map(viewAt))).filter((view) => view !== undefined),
    recount: (ref) => recount(redis, ref),
  }
}
