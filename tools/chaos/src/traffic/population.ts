/**
 * The people of the suite, by arithmetic: everyone has VK, the first three thousand Telegram and a phone as well, but for a
 * few, and some of them a URL; some phones and URLs refuse, some contacts are nobody's. Some have a second phone, in order or not.
 */
import { type Channel, channels, type NextPhone, type Population } from '../expectations.ts'

/** `PUT /phones` of the sandbox */
export interface Phone {
  readonly channel: Channel
  readonly address: string
  readonly state: 'blocked' | 'deactivated' | 'unknown'
}

/** Somebody with a URL. */
export interface Called {
  readonly id: string
  readonly url: string
}

/** A second phone of somebody. */
export interface WithNextPhone {
  readonly id: string
  readonly address: string
}

/** Whom a token of the API stands for: people from … to - 1. */
export interface AudienceRange {
  readonly to: string
  readonly from: number
  readonly until: number
}

export interface Audiences {
  /** ten to sixty people each; neighbours overlap */
  readonly groups: readonly AudienceRange[]
  /** everyone with three channels */
  readonly first: AudienceRange
  readonly everyone: AudienceRange
}

export interface People extends Population, Audiences {
  /** CSV for `POST /v1/imports` */
  readonly roster: string
  /** those who are called, whose URLs are no part of the roster: each is told a secret */
  readonly called: readonly Called[]
  /** of those who have two, which are no part of the roster */
  readonly nextPhones: readonly WithNextPhone[]
  readonly phones: readonly Phone[]
}

export interface PeopleOptions {
  readonly everyone: number
  /** people with all three channels of the roster */
  readonly first: number
  /** where the URLs are that are called */
  readonly callsUrl: string
}

/** those of the roster */
const personal = ['telegram', 'vk', 'sms'] as const

/** a URL ends with the number itself */
const firstAddress = { telegram: 70_000_000, vk: 500_000_000, sms: 79_000_000_000, http: 0 } as const

/** every so many people have no such contact */
const withoutContact: Readonly<Partial<Record<Channel, number>>> = { telegram: 41, sms: 43 }

/** every so many people's phones are in this state; primes, so that they meet in all combinations */
const refusals: readonly (readonly [Channel, Phone['state'], number])[] = [
  ['telegram', 'blocked', 89],
  ['telegram', 'unknown', 97],
  ['telegram', 'deactivated', 151],
  ['vk', 'blocked', 211],
  ['vk', 'unknown', 307],
  ['vk', 'deactivated', 499],
  ['sms', 'blocked', 101],
  ['sms', 'unknown', 113],
  ['http', 'blocked', 19],
]

/** every so many of the first have a URL that is called */
const calledEvery = 5

/** ends otherwise than the first phone of the same person */
const firstNextPhone = 79_500_000_050
/** whose first phone refuses has a next one, and so has every so many of all: to theirs nothing is ever to go */
const nextPhoneEvery = 7
/** of those whose first refuses, that of every so many refuses as well */
const nextRefusesEvery = 5

/** a group begins this many people after the one before */
const groupStride = 30
const groupCount = 48

export function createPeople({ everyone, first, callsUrl }: PeopleOptions): People {
  const digits = String(everyone - 1).length
  const idOf = (person: number) => `p${String(person).padStart(digits, '0')}`

  function contactOf(channel: Channel, person: number): string | undefined {
    if (person >= everyone || (channel !== 'vk' && person >= first)) return undefined
    if (channel === 'http') return person % calledEvery === 0 ? `${callsUrl}/ok/${person}` : undefined
    const gap = withoutContact[channel]
    if (gap !== undefined && person % gap === gap - 1) return undefined
    const address = String(firstAddress[channel] + person)
    return channel === 'sms' ? `+${address}` : address
  }

  const stateOf = (channel: Channel, person: number) =>
    refusals.find(([of, , every]) => of === channel && person % every === every - 1)?.[1]

  function nextPhoneOf(person: number): NextPhone | undefined {
    const refuses = stateOf('sms', person) !== undefined
    if (contactOf('sms', person) === undefined || !(refuses || person % nextPhoneEvery === 0)) return undefined
    return { address: `+${firstNextPhone + person}`, isReachable: !(refuses && person % nextRefusesEvery === 0) }
  }

  function personAt(channel: Channel, address: string): number | undefined {
    const number = Number(channel === 'http' ? address.split('/').at(-1) : address)
    const isNext = channel === 'sms' && number >= firstNextPhone
    const person = number - (isNext ? firstNextPhone : firstAddress[channel])
    if (!Number.isInteger(person) || person < 0) return undefined
    const own = isNext ? nextPhoneOf(person)?.address : contactOf(channel, person)
    return own === address ? person : undefined
  }

  const theFirst = Array.from({ length: first }, (_unused, person) => person)

  const groups = Array.from({ length: groupCount }, (_unused, index) => {
    const from = index * groupStride
    return { to: `group:g${index}`, from, until: Math.min(from + 10 + ((index * 7) % 51), first) }
  }).filter(({ from, until }) => from < until)

  function row(person: number): string {
    const contacts = personal.map((channel) => contactOf(channel, person) ?? '')
    const own = groups.filter(({ from, until }) => person >= from && person < until).map(({ to }) => to.slice(6))
    const all = ['campus/everyone', ...(person < first ? ['year-1/first'] : []), ...own]
    return `${idOf(person)},Person ${person},student,Europe/Moscow,ru,${contacts.join(',')},${all.join('|')}\n`
  }

  let roster = 'id,name,role,timezone,language,telegram,vk,phone,groups\n'
  const phones: Phone[] = []
  for (let person = 0; person < everyone; person += 1) {
    roster += row(person)
    for (const channel of channels) {
      const address = contactOf(channel, person)
      const state = stateOf(channel, person)
      if (address !== undefined && state !== undefined) phones.push({ channel, address, state })
    }
    const next = nextPhoneOf(person)
    if (next && !next.isReachable) phones.push({ channel: 'sms', address: next.address, state: 'blocked' })
  }

  return {
    size: everyone,
    idOf,
    contactOf,
    nextPhoneOf,
    personAt,
    isReachable: (channel, person) =>
      contactOf(channel, person) !== undefined && stateOf(channel, person) === undefined,
    groups,
    first: { to: 'cohort:year-1', from: 0, until: first },
    everyone: { to: 'cohort:campus', from: 0, until: everyone },
    roster,
    phones,
    called: theFirst.flatMap((person) => {
      const url = contactOf('http', person)
      return url === undefined ? [] : [{ id: idOf(person), url }]
    }),
    nextPhones: theFirst.flatMap((person) => {
      const next = nextPhoneOf(person)
      return next ? [{ id: idOf(person), address: next.address }] : []
    }),
  }
}
