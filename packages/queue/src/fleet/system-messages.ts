/** Messages of the fleet itself to one person. Those that are paid for by the piece have a budget: strangers can cause them. */
import { codeLifeMs, systemSender } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Directory, Person } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import { fleetMessage, type Histories, newHistoryRef, type Redis, readTargets, secretMark } from '@courier-fleet/store'
import type { RateLimits, SpentAnswers } from '../limits/rate-limits.ts'
import { systemTextsFor } from './system-texts.ts'

export interface SystemMessages {
  /** @param isFamiliar asked for from a browser of theirs: counted against no budget */
  sendCode(person: Person, code: string, isFamiliar: boolean): Promise<void>
  /** Tells the person, on the channels beside the one it happened on, where they have any. */
  tell(person: Person, what: 'linked' | 'taken', channel: string): Promise<void>
  /** The person is in the list now, as they have asked: told on the channel by which they did. */
  tellAccepted(person: Person): Promise<void>
  /** @param channel the one that named the person; every channel of theirs had the code when absent */
  tellSignedIn(person: Person, channel: string | undefined): Promise<void>
  /** Why what they write on this channel is not answered for now; nothing where they are gone. @param person id */
  tellSpentAnswers(person: string, channel: string, spent: SpentAnswers): Promise<void>
}

interface SystemMessageDeps {
  readonly redis: Redis
  readonly histories: Histories
  readonly directory: Directory
  readonly rateLimits: RateLimits
  readonly clock: Clock
  readonly log: Log
  readonly shards: number
}

const isPaidFor = (channel: string) => findChannel(channel)?.text.kind === 'sms-parts'

export function createSystemMessages(deps: SystemMessageDeps): SystemMessages {
  const { redis, histories, directory, rateLimits, clock, log, shards } = deps

  async function put(person: Person, text: string, channels: readonly string[], secret?: string): Promise<void> {
    if (channels.length === 0) return
    const ref = newHistoryRef(systemSender, shards)
    const expiresMs = clock.now() + codeLifeMs
    const message = fleetMessage({ ref, text, people: [person.id], class: 'urgent', expiresMs, channels })
    await histories.put({ ...message, source: 'web', ...(secret === undefined ? {} : { secret }) })
  }

  /** Whoever sees the sandbox sees every message there: once a channel is real, these messages go to real ones alone. */
  async function safeChannels(): Promise<string[]> {
    const targets = [...(await readTargets(redis))]
    const real = targets.filter(([, target]) => target === 'real')
    if (targets.length === 0) log.warn('a message of the fleet itself was not sent: no courier has ever started')
    return (real.length > 0 ? real : targets).map(([channel]) => channel)
  }

  /** The channels on which this person gets such messages. */
  async function channelsOf(person: Person): Promise<string[]> {
    const [safe, [contacts = {}]] = await Promise.all([safeChannels(), directory.allContactsOf([person.id])])
    const ofPeople = safe.filter((channel) => !findChannel(channel)?.isOpenToOthers)
    return ofPeople.filter((channel) => contacts[channel] && contacts[channel].state !== 'opted-out')
  }

  /** Without those that are paid for, where their budget is spent. */
  async function affordable(person: Person, channels: readonly string[]): Promise<readonly string[]> {
    const free = channels.filter((name) => !isPaidFor(name))
    if (free.length === channels.length) return channels
    const overBudget = (await rateLimits.hit('sms', person.id)) > 0 || (await rateLimits.hit('sms-of-all', 'fleet')) > 0
    return overBudget ? free : channels
  }

  async function tell(person: Person, text: string, channel: string | undefined): Promise<void> {
    const channels = await channelsOf(person)
    // where it happened on the only channel, there is no other to tell it on
    const others = channels.length > 1 ? channels.filter((name) => name !== channel) : []
    await put(person, text, await affordable(person, others))
  }

  return {
    async sendCode(person, code, isFamiliar) {
      const channels = await channelsOf(person)
      // the code itself is kept only until the message is over
      const text = systemTextsFor(person.language).code(secretMark)
      await put(person, text, isFamiliar ? channels : await affordable(person, channels), code)
    },

    tell: (person, what, channel) => tell(person, systemTextsFor(person.language)[what](channel), channel),

    async tellAccepted(person) {
      await put(person, systemTextsFor(person.language).accepted, await affordable(person, await channelsOf(person)))
    },

    tellSignedIn: (person, channel) => tell(person, systemTextsFor(person.language).signedIn, channel),

    async tellSpentAnswers(id, channel, { answers, minutes, untilMs }) {
      const person = await directory.findPerson(id)
      if (!person) return
      const until = clockTime(untilMs, person)
      await put(person, systemTextsFor(person.language).spentAnswers(answers, minutes, until), [channel])
    },
  }
}

const minuteMs = 60_000

/** The first full minute from then on, on the person's own clock; an unknown zone must not keep a message back. */
function clockTime(ms: number, { timeZone }: Person): string {
  const moment = new Date(Math.ceil(ms / minuteMs) * minuteMs)
  const form = { hour: '2-digit', minute: '2-digit' } as const
  try {
    return moment.toLocaleTimeString('ru', { ...form, timeZone })
  } catch {
    return moment.toLocaleTimeString('ru', { ...form, timeZone: 'UTC' })
  }
}
