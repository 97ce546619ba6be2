/** What those who run the fleet decide about its users. */
import { type CallerRole, type Role, type SenderLineForm, senderLineForms } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { fleetTimeZone } from '@courier-fleet/directory'
import {
  type Env,
  type Field,
  field,
  limit,
  list,
  networkOf,
  optional,
  parsePositive,
  parseWhole,
  publicUrl,
  readSettings,
  withDefault,
} from '@courier-fleet/process'
import { type FileRules, readFileRules } from '../files/file-rules.ts'

export interface Rules {
  /** whose midnight ends the day of a daily limit, IANA */
  readonly timeZone: string
  /** messages a day at most, where nobody has set it for the role; one that is absent has no limit */
  readonly quotas: Partial<Record<Role, number>>
  /** what channels show of who writes; all of it on a channel that is absent */
  readonly senderLines?: Readonly<Record<string, SenderLineForm>>
  /** different contacts that the key of an inbound process may name in a quarter of an hour; no limit when absent */
  readonly inboundContacts?: number
  /** SMS a day in which the fleet tells codes and what was done in somebody's name, where strangers may cause them; no limit when absent */
  readonly systemSmsPerDay?: number
  /** calls that wait or stream, of one owner in one process; operators and admins have eight times as many; no limit when absent */
  readonly openCalls?: number
  /** for a body to come, ms; one that is streamed may pause three times as long; no limit when absent */
  readonly bodyTimeoutMs?: number
  /** how long `/readyz` and `/metrics` are answered with what was read, ms; read for each call when absent */
  readonly probeCacheMs?: number
  /** calls a second that change something, of one owner; a role that is absent has no limit */
  readonly callsPerSecond?: Partial<Record<CallerRole, number>>
  /** what one sender may have accepted a day, cancelled messages included; a role that is absent has no limit */
  readonly stored?: Partial<Record<Role, { readonly messages: number; readonly bytes: number }>>
  /** bytes that Redis may hold before nothing new is accepted, or 90 % of its maxmemory; no limit when absent */
  readonly redisFull?: number | 'by-maxmemory'
  /** the interface of actual_queue is served, too */
  readonly actualQueue?: boolean
  /** where people reach the queue by https, without a trailing slash; no links are made when absent */
  readonly publicUrl?: string
  /** whose `X-Forwarded-*` is believed: addresses and networks; nobody's when absent */
  readonly trustProxy?: readonly string[]
  /** where files of messages are kept; absent, as without `publicUrl`: the fleet takes none */
  readonly files?: FileRules
}

const quota = (usual: number) => limit('a number of messages a day', parseWhole(0, 999_999_999), usual)
const senderLine = field(`one of ${senderLineForms.join(', ')}`, (form) =>
  senderLineForms.find((each) => each === form),
)
const callRate = (usual: number) => limit('a number of calls a second', parsePositive, usual)
const messagesStored = (usual: number) => limit('a number of messages a day', parseWhole(0, 999_999_999), usual)
const megabytesStored = (usual: number) => limit('a number of megabytes a day', parsePositive, usual)
const redisFull: Field<number | 'by-maxmemory' | undefined> = (given, name) =>
  given === undefined
    ? 'by-maxmemory'
    : limit('a number of megabytes', (text) => bytesOf(parsePositive(text)), 0)(given, name)
const bytesOf = (megabytes: number | undefined) => (megabytes === undefined ? undefined : megabytes * 1_048_576)
/** Not everybody: whoever calls would say by themselves from where. */
const proxies = list('addresses and networks of your proxies such as 10.0.0.0/8, comma-separated', (part) =>
  (networkOf(part)?.prefix ?? 0) > 0 ? part : undefined,
)
const fields = {
  FLEET_TIME_ZONE: fleetTimeZone,
  QUOTA_TRAINER: quota(4),
  QUOTA_STAFF: quota(16),
  FLEET_SENDER_LINE: withDefault(senderLine, 'name-and-groups'),
  INBOUND_CONTACTS: limit('a number of contacts', parseWhole(1, 999_999_999), 200),
  SYSTEM_SMS_PER_DAY: limit('a number of SMS a day', parseWhole(0, 999_999_999), 1000),
  OPEN_CALLS: limit('a number of calls', parseWhole(1, 999_999_999), 64),
  BODY_TIMEOUT_MS: limit('milliseconds', parseWhole(100, 3_600_000), 20_000),
  PROBE_CACHE_MS: limit('milliseconds', parseWhole(1, 60_000), 1_000),
  CALLS_STUDENT: callRate(1),
  CALLS_TRAINER: callRate(2),
  CALLS_STAFF: callRate(5),
  CALLS_OPERATOR: callRate(20),
  CALLS_INBOUND: callRate(100),
  STORED_TRAINER: messagesStored(100),
  STORED_STAFF: messagesStored(400),
  STORED_OPERATOR: messagesStored(20_000),
  STORED_MB_TRAINER: megabytesStored(64),
  STORED_MB_STAFF: megabytesStored(256),
  STORED_MB_OPERATOR: megabytesStored(1024),
  REDIS_FULL_MB: redisFull,
  ACTUAL_QUEUE: withDefault(
    field('on or off', (word) => (word === 'on' ? true : word === 'off' ? false : undefined)),
    false,
  ),
  PUBLIC_URL: optional(publicUrl),
  TRUST_PROXY: optional(proxies),
}

/** @throws Error in one line that names the variable */
export function readRules(env: Env): Rules {
  const settings = readSettings(env, fields)
  const { FLEET_TIME_ZONE, QUOTA_TRAINER: trainer, QUOTA_STAFF: staff, TRUST_PROXY } = settings
  const quotas = { ...(trainer === undefined ? {} : { trainer }), ...(staff === undefined ? {} : { staff }) }
  const senderLines = senderLinesOf(env, settings.FLEET_SENDER_LINE)
  return {
    timeZone: FLEET_TIME_ZONE,
    quotas,
    senderLines,
    ...present({
      inboundContacts: settings.INBOUND_CONTACTS,
      systemSmsPerDay: settings.SYSTEM_SMS_PER_DAY,
      openCalls: settings.OPEN_CALLS,
      bodyTimeoutMs: settings.BODY_TIMEOUT_MS,
      probeCacheMs: settings.PROBE_CACHE_MS,
      callsPerSecond: present({
        student: settings.CALLS_STUDENT,
        trainer: settings.CALLS_TRAINER,
        staff: settings.CALLS_STAFF,
        operator: settings.CALLS_OPERATOR,
        inbound: settings.CALLS_INBOUND,
      }),
      stored: present({
        trainer: stored(settings.STORED_TRAINER, settings.STORED_MB_TRAINER),
        staff: stored(settings.STORED_STAFF, settings.STORED_MB_STAFF),
        operator: stored(settings.STORED_OPERATOR, settings.STORED_MB_OPERATOR),
      }),
      redisFull: settings.REDIS_FULL_MB,
      publicUrl: settings.PUBLIC_URL,
      trustProxy: TRUST_PROXY,
      actualQueue: settings.ACTUAL_QUEUE || undefined,
      files: readFileRules(env),
    }),
  }
}

/** FLEET_SENDER_LINE, and for one channel FLEET_SENDER_LINE_SMS and the like. */
function senderLinesOf(env: Env, usual: SenderLineForm): Record<string, SenderLineForm> {
  const nameOf = (channel: string) => `FLEET_SENDER_LINE_${channel.toUpperCase()}`
  const fields = Object.fromEntries(channelNames.map((channel) => [nameOf(channel), withDefault(senderLine, usual)]))
  const forms = readSettings(env, fields)
  return Object.fromEntries(channelNames.map((channel) => [channel, forms[nameOf(channel)] ?? usual]))
}

const stored = (messages = Number.MAX_SAFE_INTEGER, megabytes?: number) => ({
  messages,
  bytes: bytesOf(megabytes) ?? Number.MAX_SAFE_INTEGER,
})

/** Without the fields that are undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
