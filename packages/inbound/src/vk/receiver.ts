/** What people write to the VK community. */
import { createHash } from 'node:crypto'
import { maxReads } from '@courier-fleet/api-types'
import { type Log, sleep } from '@courier-fleet/process'
import type { Fleet } from '../fleet.ts'
import { hear } from '../heard.ts'
import { createNotes } from '../notes.ts'
import { type Command, isStop } from '../read-command.ts'
import type { Receiver, ReceiverDeps } from '../receiver.ts'
import { respondToWish } from '../respond-to-wish.ts'
import { tellAddress } from '../tell-address.ts'
import { createTextHandler, type HandleText, type PersonalText, type Response } from '../text-handler.ts'
import { respondToTopic } from '../topics.ts'
import { type Community, createCommunity, RefusedToken } from './community.ts'
import { readConfig } from './config.ts'
import { confirmMessage } from './confirm.ts'
import type { VkEvent } from './event.ts'
import { usualTries, type Work } from './in-hand.ts'
import { notePosition, type Position, readEvents } from './read-events.ts'
import { type Allowance, readAllowance, readMessage, readPress, readRead } from './read-message.ts'
import { wordingFor, wordingLike } from './wording.ts'

const retryMs = 2000
const repeatMs = 600_000

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { env, dataDir, setAside, log } = deps
  const community = createCommunity(readConfig(env))
  const positions = createNotes<Position>(dataDir)
  const handleText = createTextHandler({ ...deps, respond, wordingFor, wordingLike, repeatMs })
  let reading: Promise<void> | undefined
  let telling: Promise<void> | undefined

  return {
    async start(signal) {
      const self = await retryUntilAborted(() => community.self(), { signal, log })
      if (self === undefined) return
      const deal = async (events: readonly VkEvent[]) => {
        await tellReads(events, deps.fleet)
        for (const event of events) await handleEvent(event, { handleText, community, fleet: deps.fleet, log })
      }
      const reader = { community, groupId: self.id, positions, worksOf, deal, setAside, tries: usualTries, log }
      await retryUntilAborted(() => notePosition(reader), { signal, log })
      reading = readEvents(reader, signal)
      telling = tellAddress(deps.fleet, 'vk', self.name, { log, signal })
    },
    async stop() {
      await Promise.all([reading, telling])
      community.close()
    },
  }
}

/** What one person writes, allows or presses is done in order; what people have read is told together. */
function worksOf(events: readonly VkEvent[]): Work[] {
  const reads = events.filter((event) => readRead(event))
  const others = events.flatMap((event) => {
    const message = readMessage(event)
    const peer = (readAllowance(event) ?? readPress(event) ?? message)?.peer
    if (peer === undefined) return []
    return [{ of: peer, events: [event], isStop: message !== undefined && isStop(message.text) }]
  })
  return reads.length > 0 ? [{ of: 'reads', events: reads, isStop: false }, ...others] : others
}

/** Many people read within a moment of each other: as many as came together are told in one call. @throws Error when they are not noted */
async function tellReads(events: readonly VkEvent[], { own }: Fleet): Promise<void> {
  const reads = events.flatMap((event) => readRead(event) ?? [])
  for (let at = 0; at < reads.length; at += maxReads)
    await own.noteRead({ channel: 'vk', reads: reads.slice(at, at + maxReads) })
}

/** @throws Error when it is not dealt with, and has to be read again */
async function handleEvent(
  event: VkEvent,
  deps: { handleText: HandleText; community: Pick<Community, 'write' | 'answerPress'>; fleet: Fleet; log: Log },
): Promise<void> {
  const { handleText, community, log } = deps
  const allowance = readAllowance(event)
  if (allowance) return hearAllowance(allowance, event.event_id, deps)
  const press = readPress(event)
  if (press) return confirmMessage(press, deps)
  const message = readMessage(event)
  if (!message) return
  const { peer, text, id } = message
  const { name, reply } = await handleText({ from: peer, to: '', text, id })
  if (reply !== undefined) await write({ community, log }, peer, reply, name)
}

/** Whoever allows messages expects some: who has said STOP is told that this holds, and how to return. */
async function hearAllowance(
  { peer, allowed }: Allowance,
  name: string,
  { community, fleet, log }: { community: Pick<Community, 'write'>; fleet: Fleet; log: Log },
): Promise<void> {
  const heard = await hear(fleet.own, { channel: 'vk', address: peer, heard: allowed ? 'allowed' : 'denied' })
  if (!allowed || heard?.state !== 'opted-out') return
  await write({ community, log }, peer, wordingFor(heard.language).optedOut, name)
}

/** At most once for a name. */
async function write(
  { community, log }: { community: Pick<Community, 'write'>; log: Log },
  peer: string,
  text: string,
  name: string,
): Promise<void> {
  await community.write(peer, text, randomIdOf(name)).catch((error: unknown) => {
    log.info({ err: error }, 'an answer could not be written')
  })
}

/** @returns undefined when aborted first. @throws RefusedToken */
async function retryUntilAborted<T>(
  ask: () => Promise<T>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof RefusedToken) throw error
      log.warn({ err: error }, 'VK does not answer; trying again')
      await sleep(retryMs, signal)
    }
  }
  return undefined
}

/** Topics, and what people wish; that nothing was sent, whenever a teacher writes as to a group; else a greeting: whenever it is asked for, and once a day whatever somebody writes. */
async function respond(text: PersonalText): Promise<Response> {
  const { command, who, address, answerKey, today } = text
  const { name = '', language = '' } = who.person ?? {}
  if (command.kind === 'topic') return respondToTopic(text, command, wordingFor(language))
  if (command.kind === 'switch' || command.kind === 'quiet') return respondToWish(text, command, wordingFor(language))
  if (command.kind === 'unclear' && command.lacks === 'hours')
    return { text: wordingFor(language).badHours, key: text.dailyKey }
  if (who.role !== 'student' && isForGroups(command)) return { text: wordingFor(language).notFromHere, key: answerKey }
  const key = command.kind === 'help' ? answerKey : `greeting.${address}.${today}`
  return { text: wordingFor(language).greeting(name), key }
}

/** A message to groups, or one that lacks them or its text. */
const isForGroups = (command: Command): boolean =>
  command.kind === 'message' || (command.kind === 'unclear' && (command.lacks === 'groups' || command.lacks === 'text'))

/** A positive int32, the same for the same text. */
function randomIdOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) & 0x7fff_ffff || 1
}
