/**
 * What an operator may change while the fleet runs. Each says whether it is of the moment, so that the newest counts at the next
 * decision, or fixed at acceptance. What a message itself says is fixed at acceptance.
 */
import { z } from 'zod'
import { budgets, faultsOf } from './budgets.ts'
import { durationMs } from './duration.ts'
import { exams } from './exams.ts'
import { moment, personId, smallCount, unixMs } from './fields.ts'
import { channelName } from './given-fields.ts'
import { level } from './message-rules.ts'
import { caps, interval, maxTypes, messageType } from './message-types.ts'
import { languageKeyPattern } from './personal-text.ts'
import { quietHours } from './quiet-hours.ts'
import { faultOfRole, keptRole } from './role-views.ts'
import { maxRoles, unknownRoles } from './roles.ts'
import { settingsConcerns } from './settings-concerns.ts'
import { settingsUse } from './settings-use.ts'
import { tariffs } from './tariffs.ts'
import { tuningLimits } from './tuning-limits.ts'

const dayMs = 86_400_000

/** A type that was removed keeps its number while a diary may hold it. */
const formerType = messageType
  .pick({ id: true, number: true })
  .extend({ removedMs: unixMs.describe('when it was removed, Unix ms') })

const levels = z
  .array(
    z.strictObject({
      after: z
        .int()
        .min(1)
        .max(1000)
        .describe('who has had so many messages in a day of theirs')
        .meta({ examples: [5] }),
      least: level.describe('is sent only what has at least this level'),
    }),
  )
  .max(2)
  .meta({ examples: [[{ after: 5, least: 4 }]] })

const share = z.int().min(1).max(100)
const shareOf = (name: string, example: number) =>
  share.describe(`so many of what is claimed are ${name}`).meta({ examples: [example] })
const weights = z.strictObject({
  urgent: shareOf('urgent', 4),
  normal: shareOf('normal', 2),
  bulk: shareOf('bulk', 1),
})

/** Those that are set as a whole. */
const parts = {
  quiet: quietHours.nullable(),
  quietJitterSeconds: z
    .int()
    .min(0)
    .max(3600)
    .meta({ examples: [120] }),
  exams,
  caps,
  interval: interval.nullable(),
  levels,
  onlineIntervalSeconds: z
    .int()
    .min(0)
    .max(3600)
    .meta({ examples: [10] }),
  retentionDays: z
    .number()
    .positive()
    .max(36_500)
    .meta({ examples: [90] }),
  weights,
  recheckHosts: z
    .array(
      z
        .string()
        .regex(
          /^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/,
          'a host name in small letters, such as timetable.example.org',
        ),
    )
    .max(100)
    .meta({ examples: [['timetable.example.org']] }),
  tellRead: z
    .array(channelName)
    .max(16)
    .refine((names) => new Set(names).size === names.length, 'each channel once')
    .meta({ examples: [['vk']] }),
  tariffs: tariffs.nullable(),
  budgets,
  consent: z.enum(['required', 'import-is-enough']),
  language: z
    .string()
    .regex(languageKeyPattern, 'a language such as ru or en')
    .meta({ examples: ['ru'] }),
}

const of = {
  types:
    'rules of the types of message, changed by /v1/types; of the moment, while the type of a message is fixed at acceptance',
  formerTypes: 'types that were removed, as long as what people were sent of them counts',
  roles: 'roles that were made, and those of the five that were changed, by /v1/roles. Of the moment',
  quiet: "when nobody is written to, on each person's own clock; null: there are no such hours. Of the moment",
  quietJitterSeconds:
    'who was held is written to within this time after the quiet hours, not all at once. Of the moment they are held',
  exams:
    "when groups sit exams: their people are not written to meanwhile, on each person's own clock, but for what goes out in quiet hours, too. Of the moment",
  caps: 'how many messages of all types together a person gets. Of the moment',
  interval: 'least time between two messages of any type to a person; null: none. Of the moment',
  levels: 'who has had so many messages in a day of theirs is sent only what has at least this level. Of the moment',
  onlineIntervalSeconds:
    'of what waits until somebody is online, they are sent one message a report, and no other in this time. Of the moment',
  retentionDays:
    'a message is forgotten so long after it was over; at least as long as the longest window. Of the moment',
  weights:
    'how messages of the three classes that wait share what is claimed next, and what the provider takes. Of the moment',
  recheckHosts:
    'hosts that trainers may have asked before a message is sent (`recheck`); whoever may write to everyone may name any. Of the moment at which it is accepted',
  tellRead:
    'channels whose providers are set up to tell who has read a message: of VK the community has the event `message_read` on. Of the moment: what is sent from then on is told of, and a step may wait for it',
  tariffs:
    'what a part of an SMS costs, by how the number begins; null: nobody has said. Of the moment at which a message is rehearsed or accepted',
  budgets:
    "what the SMS of one sender may come to in a day, and those of the fleet in a month: whoever is left when that is spent is not sent it by SMS. Of the moment; which sender's day it is, by their role when it is accepted",
  language:
    'of a message with texts in several languages that does not say so itself: whose text is for people of other languages. Of the moment at which it is accepted',
  consent:
    'who is written to: `required`, who has agreed by themselves to be, at that address; `import-is-enough`, everyone the list or the office has an address of. Of the moment',
  channels: 'how fast each channel works; what is absent is as its couriers were started. Of the moment',
} as const

/** Of one channel; what is absent is as the environment of its couriers says. */
const channelTuning = z.strictObject({
  batchSize: z
    .int()
    .min(1)
    .max(tuningLimits.batchSize)
    .optional()
    .describe(
      'people of one send job, at most; never more than the channel takes. Of the moment, for what is claimed from then on',
    )
    .meta({ examples: [100] }),
  concurrency: z
    .int()
    .min(1)
    .max(tuningLimits.concurrency)
    .optional()
    .describe('send jobs of one process at once. Of the moment; those that run go on')
    .meta({ examples: [4] }),
  window: z
    .int()
    .min(1)
    .max(tuningLimits.window)
    .optional()
    .describe(
      'people of one process in doubt at once, where resends are not folded (SMS, mail); never more than it was started with. Of the moment',
    )
    .meta({ examples: [256] }),
  perSecond: z
    .union([z.number().positive().max(tuningLimits.perSecond), z.literal('off')])
    .optional()
    .describe(
      'messages or calls a second of the account, whichever the provider counts; `off`: no limit on this side. Of the moment',
    )
    .meta({ examples: [30, 'off'] }),
  processes: z
    .union([z.int().min(1).max(tuningLimits.processes), z.literal('auto')])
    .optional()
    .describe(
      'courier processes that `npm start` runs; `auto`: one more while work waits and those there are use up their cores, one fewer when it is calm. Of the moment',
    )
    .meta({ examples: [2, 'auto'] }),
})
export type ChannelTuning = z.infer<typeof channelTuning>

/** Of all rules that count: so long a message has to be kept, for what was sent is told by its history. */
const longestWindowMs = (settings: {
  readonly types: readonly {
    caps: z.infer<typeof caps>
    interval?: string | undefined
    duplicates?: { window: string } | undefined
  }[]
  readonly caps: z.infer<typeof caps>
  readonly interval: string | null
}): number => {
  const ofCaps = (all: z.infer<typeof caps>) => all.map(({ per }) => (per === 'day' ? 2 * dayMs : durationMs(per)))
  const ofOne = (text: string | null | undefined) => (text ? [durationMs(text)] : [])
  return Math.max(
    0,
    ...ofCaps(settings.caps),
    ...ofOne(settings.interval),
    ...settings.types.flatMap((type) => [
      ...ofCaps(type.caps),
      ...ofOne(type.interval),
      ...ofOne(type.duplicates?.window),
    ]),
  )
}

export const fleetSettings = z
  .strictObject({
    types: z.array(messageType).max(maxTypes).default([]).describe(of.types),
    formerTypes: z.array(formerType).default([]).describe(of.formerTypes),
    roles: z.array(keptRole).max(maxRoles).default([]).describe(of.roles),
    quiet: parts.quiet.default(null).describe(of.quiet),
    quietJitterSeconds: parts.quietJitterSeconds.default(120).describe(of.quietJitterSeconds),
    exams: parts.exams.default([]).describe(of.exams),
    caps: parts.caps.default([]).describe(of.caps),
    interval: parts.interval.default(null).describe(of.interval),
    levels: parts.levels.default([]).describe(of.levels),
    onlineIntervalSeconds: parts.onlineIntervalSeconds.default(10).describe(of.onlineIntervalSeconds),
    retentionDays: parts.retentionDays.default(90).describe(of.retentionDays),
    weights: parts.weights.default({ urgent: 4, normal: 2, bulk: 1 }).describe(of.weights),
    recheckHosts: parts.recheckHosts.default([]).describe(of.recheckHosts),
    tellRead: parts.tellRead.default([]).describe(of.tellRead),
    tariffs: parts.tariffs.default(null).describe(of.tariffs),
    budgets: parts.budgets.default({ month: null, day: {}, exempt: [] }).describe(of.budgets),
    language: parts.language.default('en').describe(of.language),
    consent: parts.consent.default('import-is-enough').describe(of.consent),
    channels: z.record(channelName, channelTuning).default({}).describe(of.channels),
  })
  .superRefine((settings, context) => {
    for (const name of ['id', 'number'] as const) {
      const index = settings.types.findIndex(
        (type, at) => settings.types.findIndex((each) => each[name] === type[name]) < at,
      )
      const message = `another type has this ${name}`
      if (index >= 0) context.addIssue({ code: 'custom', path: ['types', index, name], message })
    }
    for (const [index, role] of settings.roles.entries()) {
      const isRepeated = settings.roles.findIndex(({ id }) => id === role.id) < index
      const fault = isRepeated ? { field: 'id', detail: 'another role has this id' } : faultOfRole(role)
      if (fault) context.addIssue({ code: 'custom', path: ['roles', index, fault.field], message: fault.detail })
    }
    for (const [index, { senders }] of settings.types.entries())
      for (const id of unknownRoles(settings.roles, senders)) {
        const path = ['types', index, 'senders', senders.indexOf(id)]
        context.addIssue({ code: 'custom', path, message: `there is no role "${id}"` })
      }
    const known = {
      currency: settings.tariffs?.currency,
      types: settings.types.map(({ id }) => id),
      roles: settings.roles.map(({ id }) => id),
    }
    for (const { path, message } of faultsOf(settings.budgets, known))
      context.addIssue({ code: 'custom', path: ['budgets', ...path], message })
    const days = Math.ceil((longestWindowMs(settings) / dayMs) * 1000) / 1000
    if (settings.retentionDays >= days) return
    context.addIssue({
      code: 'custom',
      path: ['retentionDays'],
      message: `the longest window of a rule is ${days} days, and messages must be kept as long (RETENTION_DAYS): shorten the window, or keep them longer`,
    })
  })
  .describe('what operators have set, whole')
export type FleetSettings = z.infer<typeof fleetSettings>
/** Whether it is a rule about people: when one changes, whoever waits is decided anew. */
const areRules: Readonly<Record<keyof FleetSettings, boolean>> = {
  types: true,
  formerTypes: false,
  roles: false,
  quiet: true,
  quietJitterSeconds: false,
  exams: true,
  caps: true,
  interval: true,
  levels: true,
  onlineIntervalSeconds: false,
  retentionDays: false,
  weights: false,
  recheckHosts: false,
  tellRead: false,
  tariffs: false,
  budgets: false,
  language: false,
  consent: true,
  channels: false,
}
export const ruleSettings = (Object.keys(areRules) as (keyof FleetSettings)[]).filter((name) => areRules[name])
export type FleetSettingsInput = z.input<typeof fleetSettings>

const orAsStarted = <T extends z.ZodOptional>(of: T) =>
  of.nullable().describe(`${of.description}; null: as its couriers were started`)

/** What is absent stays; of a channel, null is back to what its couriers were started with. */
export const settingsPatch = z
  .strictObject({
    quiet: parts.quiet.optional().describe(of.quiet),
    quietJitterSeconds: parts.quietJitterSeconds.optional().describe(of.quietJitterSeconds),
    exams: parts.exams.optional().describe(of.exams),
    caps: parts.caps.optional().describe(of.caps),
    interval: parts.interval.optional().describe(of.interval),
    levels: parts.levels.optional().describe(of.levels),
    onlineIntervalSeconds: parts.onlineIntervalSeconds.optional().describe(of.onlineIntervalSeconds),
    retentionDays: parts.retentionDays.optional().describe(of.retentionDays),
    weights: parts.weights.optional().describe(of.weights),
    recheckHosts: parts.recheckHosts.optional().describe(of.recheckHosts),
    tellRead: parts.tellRead.optional().describe(of.tellRead),
    tariffs: parts.tariffs.optional().describe(of.tariffs),
    budgets: parts.budgets.optional().describe(of.budgets),
    language: parts.language.optional().describe(of.language),
    consent: parts.consent.optional().describe(of.consent),
    channels: z
      .record(
        channelName,
        z.strictObject({
          batchSize: orAsStarted(channelTuning.shape.batchSize),
          concurrency: orAsStarted(channelTuning.shape.concurrency),
          window: orAsStarted(channelTuning.shape.window),
          perSecond: orAsStarted(channelTuning.shape.perSecond),
          processes: orAsStarted(channelTuning.shape.processes),
        }),
      )
      .optional()
      .describe(of.channels)
      .meta({ examples: [{ vk: { batchSize: 50, perSecond: null } }] }),
  })
  .describe('what is to be changed: what is absent stays')
  .meta({ examples: [{ quiet: { from: '22:00', to: '08:00' }, channels: { vk: { perSecond: 20 } } }] })
export type SettingsPatch = z.infer<typeof settingsPatch>
export type SettingsPatchInput = z.input<typeof settingsPatch>

const settingPath = z
  .string()
  .describe('its path, such as quiet or channels.vk.batchSize')
  .meta({ examples: ['channels.vk.batchSize'] })
const settingsVersion = smallCount.describe('version of the settings')
const difference = z.strictObject({
  setting: settingPath,
  before: z
    .unknown()
    .describe('null: it was not set')
    .meta({ examples: [50] }),
  after: z
    .unknown()
    .describe('null: it is not set any more')
    .meta({ examples: [100] }),
})
export type SettingDifference = z.infer<typeof difference>

export const settingsView = z
  .strictObject({
    version: settingsVersion.describe('0 while nobody has set anything'),
    settings: fleetSettings,
    differs: z
      .array(
        z.strictObject({
          setting: settingPath,
          environment: z
            .unknown()
            .describe('what the environment says')
            .meta({ examples: [50] }),
          live: z
            .unknown()
            .describe('what was set, and holds')
            .meta({ examples: [100] }),
        }),
      )
      .describe('where what was set live wins over what the environment says'),
    use: settingsUse,
    problem: z
      .string()
      .optional()
      .describe('why the newest version in Redis is not the one that is used')
      .meta({ examples: ['version 12 cannot be read by this process'] }),
  })
  .describe('what holds now, and where it is another than the environment says')
export type SettingsView = z.infer<typeof settingsView>

export const settingsChanged = z
  .strictObject({
    version: settingsVersion.describe('the version that was made; of a dry run the one there is'),
    changes: z.array(difference).describe('what is another than before'),
    concerns: settingsConcerns,
    settings: fleetSettings,
  })
  .describe('what was changed, or would be by a dry run')
export type SettingsChanged = z.infer<typeof settingsChanged>

export const settingsVersions = z
  .strictObject({
    versions: z
      .array(
        z.strictObject({
          version: settingsVersion,
          at: moment.describe('when it was set'),
          by: personId.describe('who set it'),
          changes: z
            .array(difference)
            .optional()
            .describe('to the version before; absent where that is not kept any more'),
        }),
      )
      .describe('newest first, the last hundred'),
  })
  .describe('who has set what, when')
export type SettingsVersions = z.infer<typeof settingsVersions>

export const restoreBody = z.strictObject({
  version: z
    .int()
    .min(0)
    .describe('whose settings are set again, as a new version; 0: none, all is as the environment says')
    .meta({ examples: [11] }),
})
