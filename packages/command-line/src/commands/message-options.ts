/** How a message is written on the command line, for all commands that take one. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import {
  type Ceiling,
  classes,
  type MessageData,
  quietRespects,
  reachedLevels,
  silenceRules,
} from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Options } from '../command.ts'
import { fileOrPiped, readNamed } from '../input.ts'
import { instantOf, offsetOf, secondsOf } from '../moment.ts'
import { type RecipientValues, readRecipients } from '../read-recipients.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export const audienceOptions = {
  to: {
    type: 'string',
    multiple: true,
    value: 'TOKEN',
    about:
      'user:<id>, group:<id>, cohort:<id>, topic:<id>, role:<role> or url:https://…; of people only unread:<days>d, unconfirmed:<key> or unreached:<key>; may be given several times',
  },
  channels: { type: 'string', value: 'LIST', about: 'only these, e.g. telegram,sms; all of them when absent' },
} as const satisfies Options

export const momentOption = {
  at: {
    type: 'string',
    value: 'TIME',
    about: '2026-09-01T09:00:00+03:00, or +20s, +5m, +2h, +1d from now, or now',
  },
} as const satisfies Options

export const dueOptions = {
  ...momentOption,
  in: { type: 'string', value: 'SECONDS', about: 'instead of --at: so long after the service has accepted it' },
  event: { type: 'string', value: 'ID', about: 'instead of --at: the event it hangs on; "fleet events" lists yours' },
  offset: {
    type: 'string',
    value: 'SECONDS',
    about: 'so long after the event, -3600 for an hour before; 0 when absent',
  },
  expires: { type: 'string', value: 'TIME', about: 'after this it is not sent any more; written as --at is' },
} as const satisfies Options

interface DueValues {
  readonly at?: string | undefined
  readonly in?: string | undefined
  readonly event?: string | undefined
  readonly offset?: string | undefined
  readonly expires?: string | undefined
}

/** Whether a message says a time other than now. */
export const isForLater = ({ at = 'now', in: seconds, event }: DueValues) =>
  at !== 'now' || seconds !== undefined || event !== undefined

/** When a message is due, as its body says it. @throws UsageError */
export function dueOf({ at, in: seconds, event, offset, expires }: DueValues) {
  return {
    ...(at === undefined ? {} : { at: instantOf('at', at, Date.now()) }),
    ...(seconds === undefined ? {} : { in: secondsOf('in', seconds) }),
    ...(event === undefined ? {} : { event }),
    ...(offset === undefined ? {} : { offset: offsetOf(offset) }),
    ...(expires === undefined ? {} : { expires: instantOf('expires', expires, Date.now()) }),
  }
}

/** For programs, beside the text. @throws UsageError */
export const dataOf = (text: string | undefined): { data?: MessageData } =>
  text === undefined ? {} : { data: objectOf('data', text, '{"room": 412}') }

/** @throws UsageError */
function objectOf(option: string, text: string, example: string): Record<string, unknown> {
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { ...object }
  } catch {}
  throw new UsageError(`--${option} is a JSON object, such as ${example}`)
}

export const personalOptions = {
  texts: {
    type: 'string',
    value: 'JSON',
    about: 'instead of --text: texts by language, each person reads their own, such as {"ru": "…", "en": "…"}',
  },
  language: { type: 'string', value: 'TAG', about: 'of --texts: which is for people of other languages' },
  fields: {
    type: 'string',
    value: 'JSON',
    about: 'values for the fields of the text, such as {"room": "204"} for {{room}}; {} for {{name}} alone',
  },
  template: {
    type: 'string',
    value: 'ID',
    about: 'instead of --text: a stored text, "fleet templates" lists them; with @3 at the end its version 3',
  },
  recipients: {
    type: 'string',
    value: 'FILE',
    about:
      'CSV with a column person and one for each field: values of one person each; without --to it goes to these people; - for what comes in on stdin',
  },
} as const satisfies Options

interface PersonalValues {
  readonly texts?: string | undefined
  readonly language?: string | undefined
  readonly fields?: string | undefined
  readonly template?: string | undefined
}

/** What they say is checked by the service. @throws UsageError */
export function personalOf(text: string | undefined, { texts, language, fields, template }: PersonalValues) {
  if (text !== undefined && texts !== undefined) throw new UsageError('say --text or --texts, not both')
  if (template !== undefined && (text ?? texts) !== undefined)
    throw new UsageError('say --template or the text itself, not both')
  const said = texts === undefined ? text : (objectOf('texts', texts, '{"ru": "…", "en": "…"}') as Texts)
  return {
    ...(said === undefined ? {} : { text: said }),
    ...(language === undefined ? {} : { language }),
    ...(fields === undefined ? {} : { fields: objectOf('fields', fields, '{"room": "204"}') as Texts }),
    ...(template === undefined ? {} : { template: templateIn(template) }),
  }
}

/** @throws UsageError */
function templateIn(text: string): { id: string; version?: number } {
  const [, id, version] = /^([^@]+)(?:@(\d{1,9}))?$/.exec(text) ?? []
  if (id === undefined) throw new UsageError('--template is the id of a template, such as exam-room or exam-room@3')
  return version === undefined ? { id } : { id, version: Number(version) }
}

/** Values of one person each, from a file. @throws UsageError */
export async function recipientsOf(
  file: string | undefined,
  terminal: Terminal,
): Promise<{ recipients?: RecipientValues[] }> {
  return file === undefined ? {} : { recipients: readRecipients(await fileOrPiped(file, terminal)) }
}

type Texts = Record<string, string>

const levels = ['1', '2', '3', '4', '5'] as const
const duplicates = ['allow'] as const

export const ruleOptions = {
  class: { type: 'string', value: 'CLASS', choices: classes, about: 'who goes first; normal when absent' },
  type: { type: 'string', value: 'TYPE', about: 'what it is about, such as news; "fleet types" lists them' },
  level: {
    type: 'string',
    value: 'LEVEL',
    choices: levels,
    about: 'how important it is; as its type says when absent, more for operators only',
  },
  quiet: {
    type: 'string',
    value: 'HOW',
    choices: quietRespects,
    about: 'ignore: it goes out in quiet hours, too, for staff or where its type says so',
  },
  duplicates: {
    type: 'string',
    value: 'allow',
    choices: duplicates,
    about: 'send it although the same was sent before',
  },
  recheck: {
    type: 'string',
    value: 'URL',
    about: 'ask this address of yours right before it is sent: only its "ok" lets it go',
  },
  'recheck-each': { type: 'boolean', about: 'ask it about people, 500 at most in a question' },
  'on-silence': {
    type: 'string',
    value: 'WHAT',
    choices: silenceRules,
    about:
      'where it answers neither ok nor error: hold (ask again until the message expires), send or drop; hold when absent',
  },
  'when-online': { type: 'boolean', about: 'send it to each when they are reported online; see fleet online' },
} as const satisfies Options

interface RuleValues {
  readonly class?: string | undefined
  readonly type?: string | undefined
  readonly level?: string | undefined
  readonly quiet?: string | undefined
  readonly duplicates?: string | undefined
  readonly 'when-online'?: boolean | undefined
  readonly recheck?: string | undefined
  readonly 'recheck-each'?: boolean | undefined
  readonly 'on-silence'?: string | undefined
}

/** The arguments were checked against the choices. @throws UsageError */
export function rulesOf(values: RuleValues) {
  const { class: given, type, level, quiet, duplicates: allowed, 'when-online': whenOnline } = values
  const goesFirst = classes.find((each) => each === given)
  const respect = quietRespects.find((each) => each === quiet)
  return {
    ...(type === undefined ? {} : { type }),
    ...(level === undefined ? {} : { level: Number(level) }),
    ...(goesFirst === undefined ? {} : { class: goesFirst }),
    ...(respect === undefined ? {} : { quiet: respect }),
    ...(allowed === undefined ? {} : { duplicates: 'allow' as const }),
    ...(whenOnline ? { whenOnline } : {}),
    ...recheckOf(values),
  }
}

function recheckOf({ recheck: url, 'recheck-each': each = false, 'on-silence': silence }: RuleValues) {
  const onSilence = silenceRules.find((rule) => rule === silence)
  if (url === undefined) {
    if (each || onSilence) throw new UsageError('say which address is asked: --recheck URL')
    return {}
  }
  const per = each ? { per: 'recipient' as const } : {}
  return { recheck: { url, ...per, ...(onSilence ? { onSilence } : {}) } }
}

/** @throws UsageError when nobody is named */
export function audienceOf(
  { to: named = [], channels, next = [] }: AudienceValues,
  { recipients = [] }: { recipients?: readonly RecipientValues[] } = {},
) {
  const to = named.length > 0 ? named : recipients.map(({ person }) => `user:${person}`)
  if (to.length === 0) throw new UsageError('say whom to send to: --to "group:…"')
  const steps = stepsOf({ channels, next })
  return { to, ...(steps.steps ? steps : channels === undefined ? {} : { channels: listOf(channels) }) }
}

/** @throws UsageError */
export function stepsOf({ channels, next = [] }: Pick<AudienceValues, 'channels' | 'next'>) {
  if (next.length === 0) return {}
  if (channels === undefined) throw new UsageError('say what goes first: --channels telegram,vk')
  return { steps: [{ channels: listOf(channels) }, ...next.map(stepOf)] }
}

interface AudienceValues {
  readonly to?: string[] | undefined
  readonly channels?: string | undefined
  readonly next?: string[] | undefined
}

/** What it says is checked by the service. @throws UsageError */
function stepOf(text: string) {
  const [, names, after, level] = /^(\S+) after (\S+) unless (\S+)$/.exec(text.trim()) ?? []
  const unless = reachedLevels.find((each) => each === level)
  if (!names || !after || !unless)
    throw new UsageError(`--next "${text}" is no step: write it as "sms after PT10M unless sent"`)
  return { channels: listOf(names), after, unless }
}

export const listOf = (text: string) => text.split(',').map((name) => name.trim())

export const fileOption = {
  file: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about: 'a file that goes with it, or as a link where the channel takes none; may be given five times',
  },
} as const satisfies Options

/** Uploads them; under the key of a message once, so that the message is the same again. @throws UsageError for what cannot be read */
export async function filesOf(
  paths: readonly string[] | undefined,
  client: Client,
  messageKey?: string,
): Promise<{ files?: string[] }> {
  if (!paths) return {}
  const read = await Promise.all(paths.map(readNamed))
  const files: string[] = []
  for (const [index, bytes] of read.entries()) {
    const once = messageKey === undefined ? {} : { idempotencyKey: fileKeyOf(messageKey, index) }
    files.push((await client.uploadFile(basename(paths[index] as string), bytes, once)).id)
  }
  return { files }
}

/** However long the key of the message is. */
const fileKeyOf = (messageKey: string, index: number) =>
  createHash('sha256').update(`${index}\n${messageKey}`).digest('base64url')

export const confirmOption = {
  confirm: {
    type: 'boolean',
    about:
      'ask everybody to confirm it, where the channel can (a button in Telegram and VK, YES by SMS, a link in mail)',
  },
} as const

export const ceilingOption = {
  ceiling: {
    type: 'string',
    value: 'SUM',
    about: 'what its SMS may come to: 300 (parts), or 200RUB by the prices of the fleet; then nobody else is sent one',
  },
} as const satisfies Options

/** @throws UsageError */
export function ceilingOf(text: string | undefined): { ceiling?: Ceiling } {
  if (text === undefined) return {}
  const [, sum, fraction = '', currency] = /^(\d{1,9})(?:\.(\d{1,6}))?(?: ?([A-Z]{3}))?$/.exec(text.trim()) ?? []
  const isWhole = fraction === ''
  if (sum === undefined || (currency === undefined && !isWhole) || Number(`${sum}${fraction}`) === 0)
    throw new UsageError(`--ceiling "${text}" is no sum: write it as 300, which are parts of SMS, or as 200RUB`)
  if (currency === undefined) return { ceiling: { parts: Number(sum) } }
  return { ceiling: { millionths: Number(sum) * 1_000_000 + Number(fraction.padEnd(6, '0')), currency } }
}

export const stepOption = {
  next: {
    type: 'string',
    multiple: true,
    value: 'STEP',
    about:
      'by --channels first, then by others for whoever is not reached: "sms after PT10M unless sent" (or delivered, confirmed); up to three times',
  },
} as const satisfies Options
