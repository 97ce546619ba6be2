/** What people write by SMS: by SMPP, over HTTP from a gateway, or both. */
import { join } from 'node:path'
import type { Log } from '@courier-fleet/process'
import { createNotes, type Notes } from '../notes.ts'
import type { Receiver, ReceiverDeps } from '../receiver.ts'
import { tellAddress } from '../tell-address.ts'
import { createTextHandler } from '../text-handler.ts'
import { readConfig } from './config.ts'
import { createDecisions, type Decided } from './decided.ts'
import { createHttpReceiver } from './http-receiver.ts'
import { createOutcomes, type Owed } from './outcomes.ts'
import { createParts, maxWaitMs, type PartNote } from './parts.ts'
import { createRespond } from './respond.ts'
import { createSendOnce, type Unfinished } from './send-once.ts'
import { createSmppReceiver } from './smpp-receiver.ts'
import { wordingFor, wordingLike } from './wording.ts'

/** a centre hardly ever brings again what was taken so long ago, and people hardly ever mean the same twice so soon */
const repeatMs = 600_000
const outcomeMs = 300_000
/** a second answer costs one SMS and no more; without any answer somebody keeps waiting */
const answerRepeatMs = 60_000
/** by then a centre has brought again what it was not told of */
const unfinishedMs = 86_400_000
const cleanEveryMs = 3_600_000

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { env, dataDir, fleet, answers, clock, log } = deps
  const config = readConfig(env)
  const notes = <T>(name: string) => createNotes<T>(join(dataDir, name))
  const [parts, unfinished, owed] = [notes<PartNote>('parts'), notes<Unfinished>('unfinished'), notes<Owed>('outcomes')]
  const outcomes = createOutcomes({ notes: owed, answers, fleet, clock, log, outcomeMs })
  const cancelled = notes<Decided>('cancelled')
  const decisions = createDecisions({ notes: cancelled, clock, repeatMs })
  const sendOnce = createSendOnce({ unfinished, clock, repeatMs })
  const respond = createRespond({ fleet, sendOnce, outcomes, decisions, clock, outcomeMs })
  const handleText = createTextHandler({ ...deps, respond, wordingFor, wordingLike, repeatMs: answerRepeatMs })
  const finish = async (name: string) => void (await Promise.all([sendOnce.finish(name), decisions.finish(name)]))
  const shared = { handleText, finish, log }
  const smppDeps = { ...shared, parts: createParts({ notes: parts, now: clock.now }) }
  const receivers: Receiver[] = []
  if (config.smpp) receivers.push(createSmppReceiver({ ...config.smpp, ...smppDeps }))
  if (config.http) receivers.push(createHttpReceiver({ ...config.http, ...shared }))
  let cleaning: NodeJS.Timeout | undefined
  let telling: Promise<void> | undefined

  return {
    async start(signal) {
      const clean = () => removeOldNotes({ parts, ofADay: [unfinished, cancelled], log })
      await clean()
      cleaning = setInterval(clean, cleanEveryMs)
      cleaning.unref()
      await outcomes.resume()
      await Promise.all(receivers.map((receiver) => receiver.start(signal)))
      if (config.number) telling = tellAddress(fleet, 'sms', config.number, { log, signal })
    },
    async stop() {
      clearInterval(cleaning)
      await Promise.all([telling, ...receivers.map((receiver) => receiver.stop())])
      await outcomes.stop()
    },
  }
}

async function removeOldNotes(notes: {
  parts: Notes<PartNote>
  ofADay: readonly Pick<Notes<unknown>, 'removeOld'>[]
  log: Log
}) {
  const { parts, ofADay, log } = notes
  await Promise.all([parts.removeOld(maxWaitMs), ...ofADay.map((each) => each.removeOld(unfinishedMs))]).catch(
    (error: unknown) => log.warn({ err: error }, 'old notes could not be removed'),
  )
}
