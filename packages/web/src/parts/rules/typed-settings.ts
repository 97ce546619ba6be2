/** Settings of the fleet as they stand in a form, and what was typed means. */
import type { FleetSettings, SettingsPatchInput } from '@courier-fleet/api-types'
import { languageKeyPattern } from '@courier-fleet/api-types/personal-text'

export interface TypedPrice {
  readonly prefix: string
  readonly perPart: string
}
export interface TypedSettings {
  readonly consent: FleetSettings['consent']
  readonly language: string
  readonly retentionDays: string
  readonly quietJitterSeconds: string
  readonly onlineIntervalSeconds: string
  readonly weights: Readonly<Record<keyof FleetSettings['weights'], string>>
  readonly recheckHosts: string
  readonly tellRead: readonly string[]
  /** null: nobody has said */
  readonly tariffs: { readonly currency: string; readonly prices: readonly TypedPrice[] } | null
}
export type TypedName = keyof TypedSettings

export const limits = { retentionDays: 36_500, seconds: 3_600, weight: 100 } as const
const millionths = 1_000_000
const host = /^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/

export const typedOf = (settings: FleetSettings): TypedSettings => ({
  consent: settings.consent,
  language: settings.language,
  retentionDays: String(settings.retentionDays),
  quietJitterSeconds: String(settings.quietJitterSeconds),
  onlineIntervalSeconds: String(settings.onlineIntervalSeconds),
  weights: {
    urgent: String(settings.weights.urgent),
    normal: String(settings.weights.normal),
    bulk: String(settings.weights.bulk),
  },
  recheckHosts: settings.recheckHosts.join('\n'),
  tellRead: settings.tellRead,
  tariffs: settings.tariffs && {
    currency: settings.tariffs.currency,
    prices: settings.tariffs.prices.map(({ prefix, perPart }) => ({ prefix, perPart: String(perPart / millionths) })),
  },
})

/** Of each what is to be set; undefined where what was typed is no value of it. */
const readers: { readonly [Name in TypedName]: (typed: TypedSettings[Name]) => FleetSettings[Name] | undefined } = {
  consent: (typed) => typed,
  language: (typed) => (languageKeyPattern.test(typed.trim()) ? typed.trim() : undefined),
  retentionDays: (typed) => {
    const days = numberIn(typed)
    return days > 0 && days <= limits.retentionDays ? days : undefined
  },
  quietJitterSeconds: (typed) => wholeIn(typed, 0, limits.seconds),
  onlineIntervalSeconds: (typed) => wholeIn(typed, 0, limits.seconds),
  weights: (typed) => {
    const of = (cls: keyof typeof typed) => wholeIn(typed[cls], 1, limits.weight)
    const [urgent, normal, bulk] = [of('urgent'), of('normal'), of('bulk')]
    return urgent && normal && bulk ? { urgent, normal, bulk } : undefined
  },
  recheckHosts: (typed) => {
    const hosts = typed.split(/\s+/).filter(Boolean)
    return hosts.length <= 100 && hosts.every((each) => host.test(each)) ? hosts : undefined
  },
  tellRead: (typed) => [...typed],
  tariffs: (typed) => {
    if (!typed) return null
    const prices = typed.prices.map(({ prefix, perPart }) => ({
      prefix: prefix.trim(),
      perPart: Math.round(numberIn(perPart) * millionths),
    }))
    const isEach = prices.every(
      ({ prefix, perPart }) => /^\+\d{0,15}$/.test(prefix) && perPart >= 0 && perPart <= 1_000 * millionths,
    )
    const isOnce = new Set(prices.map(({ prefix }) => prefix)).size === prices.length
    const isWhole = /^[A-Z]{3}$/.test(typed.currency) && prices.length > 0
    return isEach && isOnce && isWhole ? { currency: typed.currency, prices } : undefined
  },
}
export const typedNames = Object.keys(readers) as TypedName[]

const readTyped = (name: TypedName, typed: TypedSettings): FleetSettings[TypedName] | undefined =>
  (readers[name] as (value: TypedSettings[TypedName]) => FleetSettings[TypedName] | undefined)(typed[name])

export const isWrong = (name: TypedName, typed: TypedSettings): boolean => readTyped(name, typed) === undefined

/** What of it is another than it was. @returns undefined where something is no value */
export function patchOf(typed: TypedSettings, before: FleetSettings): SettingsPatchInput | undefined {
  const wanted = typedNames.map((name) => [name, readTyped(name, typed)] as const)
  if (wanted.some(([, value]) => value === undefined)) return undefined
  return Object.fromEntries(wanted.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])))
}

function numberIn(text: string): number {
  const typed = text.trim().replace(',', '.')
  return typed === '' ? Number.NaN : Number(typed)
}

function wholeIn(text: string, min: number, max: number): number | undefined {
  const value = numberIn(text)
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
