/** What somebody has set, as an operator reads it: a setting of the fleet, by its path, and what it is from then on. */
import type { Ceiling, ChannelTuning, FleetSettings, KeptRole, SettingDifference } from '@courier-fleet/api-types'
import { durationOf } from '@courier-fleet/api-types/duration'
import { findChannel } from '@courier-fleet/channels'
import type { Language } from './catalogue.ts'
import { spanWords } from './limit-words.ts'
import { moneyWords } from './money-words.ts'
import { type SettingCatalogue, settingCatalogues, type WholeSetting } from './setting-catalogue.ts'
import { setSteps } from './steps-words.ts'
import { wordsIn } from './words-in.ts'

type Changed = Pick<SettingDifference, 'setting' | 'before' | 'after'>
type MessageType = FleetSettings['types'][number]
type Caps = FleetSettings['caps']

/** What is set, of each setting. */
type Values = {
  readonly [Name in WholeSetting]: (
    value: NonNullable<FleetSettings[Name]>,
    said: Said,
    roleName: (role: string) => string,
  ) => string
}

interface Said extends SettingCatalogue {
  readonly language: Language
}

interface DifferenceWords {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** @param roleName of a role; the role itself when absent */
export function settingWords(language: Language, changed: Changed, roleName?: (role: string) => string): string {
  const { name, after } = differenceWords(language, changed, roleName)
  return `${name}: ${after}`
}

/** The same with what it was before. */
export function differenceWords(
  language: Language,
  changed: Changed,
  roleName = (role: string) => role,
): DifferenceWords {
  const said = { ...settingCatalogues[language], language }
  const { name, words } = settingAt(said, changed, roleName)
  return { name, before: words(changed.before), after: words(changed.after) }
}

interface SettingAt {
  readonly name: string
  /** of what it was, or is from then on */
  words(value: unknown): string
}

function settingAt(said: Said, { setting, before, after }: Changed, roleName: (role: string) => string): SettingAt {
  const [first = '', ...rest] = setting.split('.')
  if (first === 'types') {
    const known = (after ?? before) as MessageType | null
    return { name: said.type(known?.name[said.language] ?? rest.join('.')), words: typeWords(said, before, roleName) }
  }
  if (first === 'roles') {
    const known = (after ?? before) as KeptRole | null
    return { name: said.role(known?.name[said.language] ?? rest.join('.')), words: roleWords(said, before, roleName) }
  }
  if (first === 'channels') {
    const [channel = '', name = ''] = rest
    const ofChannel = findChannel(channel)?.words[said.language].name ?? channel
    const what = said.tuning[name as keyof ChannelTuning] ?? name
    return { name: `${ofChannel}, ${what}`, words: (value) => tunedWords(said, name, value) }
  }
  if (!(first in values)) return { name: setting, words: (value) => JSON.stringify(value) }
  const name = first as WholeSetting
  const ofWhole = values[name] as WordsOf
  return {
    name: said.names[name],
    words: (value) => (value === null ? said.unset[name] : ofWhole(value, said, roleName)),
  }
}

type WordsOf = (value: unknown, said: Said, roleName: (role: string) => string) => string

const secondsWords = (seconds: number, language: Language) => spanWords(language, durationOf(seconds * 1000))

const values: Values = {
  quiet: ({ from, to, days }, said) => said.quiet(from, to, days?.map((day) => said.weekdays[day]).join(', ')),
  quietJitterSeconds: (seconds, said) =>
    seconds === 0 ? said.atOnce : said.spread(secondsWords(seconds, said.language)),
  exams: (exams, said) =>
    exams.length === 0 ? said.none : exams.map(({ group, from, to }) => said.exam(group, from, to)).join('; '),
  caps: (caps, said) => (caps.length === 0 ? said.asManyAsThereAre : capsWords(caps, said)),
  interval: (interval, said) => said.atLeast(spanWords(said.language, interval)),
  levels: (levels, said) =>
    levels.length === 0
      ? said.everythingGoesOut
      : levels.map(({ after, least }) => said.level(after, least)).join('; '),
  onlineIntervalSeconds: (seconds, said) =>
    seconds === 0 ? said.anyTime : said.oncePer(secondsWords(seconds, said.language)),
  retentionDays: (days, said) => said.days(days),
  weights: ({ urgent, normal, bulk }) => `${urgent} : ${normal} : ${bulk}`,
  recheckHosts: (hosts, said) => (hosts.length === 0 ? said.none : hosts.join(', ')),
  tellRead: (names, { none, language }) =>
    names.length === 0 ? none : names.map((name) => findChannel(name)?.words[language].name ?? name).join(', '),
  consent: (consent, said) => said.consent[consent],
  language: (tag, said) => new Intl.DisplayNames([said.language], { type: 'language' }).of(tag) ?? tag,
  tariffs: ({ currency, prices }, said) =>
    prices
      .map(({ prefix, perPart }) => {
        return `${prefix === '+' ? said.anyNumber : `${prefix}…`} — ${moneyWords(said.language, perPart, currency)}`
      })
      .join(', '),
  budgets: ({ month, day, exempt }, said, roleName) => {
    const ofDays = Object.entries(day).map(([role, limit]) => said.budgetOfDay(roleName(role), limitWords(limit, said)))
    const limits = [...(month ? [said.budgetOfMonth(limitWords(month, said))] : []), ...ofDays]
    if (limits.length === 0) return said.none
    return [...limits, ...(exempt.length === 0 ? [] : [said.exempt(exempt.join(', '))])].join('; ')
  },
}

const limitWords = (limit: Ceiling, { language }: Said) =>
  'parts' in limit
    ? `${wordsIn(language).number(limit.parts)} SMS`
    : moneyWords(language, limit.millionths, limit.currency)

const capsWords = (caps: Caps, said: Said) =>
  caps
    .map(({ n, per, over }) => {
      const atMost = per === 'day' ? said.perDay(n) : said.per(n, spanWords(said.language, per))
      return `${atMost} (${said.over[over]})`
    })
    .join(', ')

/** @param before null: there was no such type */
function typeWords(said: Said, before: unknown, roleName: (role: string) => string) {
  const { language } = said
  return (value: unknown): string => {
    const type = value as MessageType | null
    if (!type) return before === null ? said.none : said.typeRemoved
    const { level, optOut, quiet, duplicates, caps, interval, deadline, merge, steps, senders } = type
    return [
      said.importance(level),
      ...(optOut === 'mandatory' ? [said.mandatory] : []),
      ...(quiet === 'ignore' ? [said.inQuietHours] : []),
      ...(duplicates ? [said.noDuplicates(spanWords(language, duplicates.window))] : []),
      ...(interval === undefined ? [] : [said.intervalOfType(spanWords(language, interval))]),
      ...(deadline === undefined ? [] : [said.deadline(spanWords(language, deadline))]),
      ...(merge === undefined ? [] : [said.merged(spanWords(language, merge))]),
      ...(steps === undefined ? [] : [said.inSteps(setSteps(language, steps))]),
      ...(caps.length === 0 ? [] : [capsWords(caps, said)]),
      ...(senders.length === 0 ? [] : [said.senders(senders.map(roleName).join(', '))]),
    ].join('; ')
  }
}

/** @param before null: there was no such role */
function roleWords(said: Said, before: unknown, roleName: (role: string) => string) {
  return (value: unknown): string => {
    const role = value as KeptRole | null
    if (!role) return before === null ? said.none : said.roleRemoved
    return said.ofRole(roleName(role.rights), role.quota)
  }
}

function tunedWords(said: Said, name: string, value: unknown): string {
  if (value === null) return said.asStarted
  if (name === 'perSecond' && value === 'off') return said.noLimit
  if (name === 'processes' && value === 'auto') return said.asManyAsNeeded
  return String(value)
}
