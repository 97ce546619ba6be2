/** The message being written. Survives a reload of the page; one attempt to send it, however often repeated, sends once. */
import type { AskedField, MessageInput } from '@courier-fleet/api-types'
import { fieldNamePattern, fieldsIn, ownFields, textsIn } from '@courier-fleet/api-types/personal-text'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { instantOf } from '../wall-time.ts'

export interface Recipient {
  /** `group:…`, `cohort:…`, `topic:…`, `role:…`, `user:…` */
  readonly token: string
  readonly label: string
}

/** A stored text, in the version that was looked at. */
export interface ChosenTemplate {
  readonly id: string
  readonly version: number
  readonly text: string | Readonly<Record<string, string>>
  /** what of it the sender is asked for */
  readonly fields: readonly AskedField[]
}

export interface DraftContent {
  readonly to: readonly Recipient[]
  readonly text: string
  /** instead of the text */
  readonly template?: ChosenTemplate | undefined
  /** for the fields of the text, by name, as they were typed */
  readonly values: Readonly<Record<string, string>>
  /** as whom the text is shown; absent: whoever reads the longest */
  readonly reader?: string | undefined
  /** of channels whose messages have one; empty: as they make it of the text */
  readonly subject: string
  readonly when: 'now' | 'later'
  /** wall time of the person's zone; what a date field holds */
  readonly at: string
  readonly class: NonNullable<MessageInput['class']>
  /** what it is about */
  readonly type: string
  /** it goes out in the fleet's quiet hours, too */
  readonly ignoresQuiet: boolean
  /** the same text goes to the same people once more, and the sender knows */
  readonly isAgain: boolean
  /** people are asked to confirm it */
  readonly confirm?: MessageInput['confirm']
  /** only these; all when absent */
  readonly channels?: readonly string[] | undefined
  /** SMS goes after the others, to those only whom they do not reach: which others there are */
  readonly smsLater?: readonly string[] | undefined
  /** what its SMS may come to, in parts; as it was typed, for the API to refuse */
  readonly smsAtMost?: number | undefined
  /** so long it is tried to send it, from when it is due */
  readonly triedForHours: number
}

/** as the API has it where a message does not say */
const usualHours = 24
export const triedHours: readonly number[] = [1, 3, 12, usualHours, 72]

/** A message that was sent and perhaps accepted: the same body with the same key is sent again until there is an answer. */
interface Attempt {
  readonly idempotencyKey: string
  readonly message: MessageInput
}

export interface Draft {
  readonly content: ReadonlySignal<DraftContent>
  /** present until the API has answered */
  readonly attempt: ReadonlySignal<Attempt | undefined>
  /** Changes the message; an attempt made before was another message. */
  change(changes: Partial<DraftContent>): void
  /** The same attempt until it was answered. @param sha256 of the audience the sender has seen */
  begin(zone: string, sha256: string | undefined): Attempt
  /** The API refused: the next attempt is a new one. */
  refused(): void
  /** The API accepted: what is written next is another message. */
  accepted(key: string): void
  /** the message that was accepted last, of those that are sent at once, and what was written */
  readonly sent: ReadonlySignal<{ readonly key: string; readonly content: DraftContent } | undefined>
  clear(): void
  /** Drops the draft that another person left in this browser. */
  openFor(owner: string): void
}

/** for so long a message that is sent at once can be taken back; an urgent one does not wait for that */
const takenBackSeconds = 10

const storageKey = 'draft'
const empty: DraftContent = {
  to: [],
  text: '',
  values: {},
  subject: '',
  when: 'now',
  at: '',
  class: 'normal',
  type: 'general',
  ignoresQuiet: false,
  isAgain: false,
  triedForHours: usualHours,
}

/** Whether nothing is set of what most messages do without. */
export const isPlain = ({
  subject,
  class: urgency,
  type,
  ignoresQuiet,
  confirm,
  channels,
  smsLater,
  smsAtMost,
  triedForHours,
}: DraftContent) =>
  subject === '' &&
  urgency === empty.class &&
  type === empty.type &&
  !ignoresQuiet &&
  confirm === undefined &&
  channels === undefined &&
  smsLater === undefined &&
  smsAtMost === undefined &&
  triedForHours === usualHours

interface Stored {
  readonly owner?: string | undefined
  readonly content: DraftContent
  readonly attempt?: Attempt | undefined
}

/** as browsers have it */
interface Storage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export function createDraft(storage: Storage): Draft {
  const stored = signal<Stored>(read(storage))
  const sent = signal<{ key: string; content: DraftContent } | undefined>(undefined)
  effect(() => storage.setItem(storageKey, JSON.stringify(stored.value)))

  const store = (next: Omit<Stored, 'owner'>) => {
    stored.value = { owner: stored.value.owner, ...next }
  }

  return {
    content: computed(() => stored.value.content),
    attempt: computed(() => stored.value.attempt),
    sent,
    change(changes) {
      // another text, or other people: nothing is said again
      const again = ['text', 'to', 'template', 'values'].some((name) => name in changes) ? { isAgain: false } : {}
      store({ content: { ...stored.value.content, ...again, ...changes } })
    },
    begin(zone, sha256) {
      const { content, attempt } = stored.value
      if (attempt) return attempt
      const begun = { idempotencyKey: `web-${randomId()}`, message: messageOf(content, zone, sha256) }
      store({ content, attempt: begun })
      return begun
    },
    refused() {
      store({ content: stored.value.content })
    },
    accepted(key) {
      const { content } = stored.value
      sent.value = content.when === 'now' && content.class !== 'urgent' ? { key, content } : undefined
      store({ content: empty })
    },
    clear() {
      sent.value = undefined
      store({ content: empty })
    },
    openFor(owner) {
      if (stored.value.owner === owner) return
      sent.value = undefined
      stored.value = { owner, content: empty }
    },
  }
}

function read(storage: Storage): Stored {
  try {
    const { owner, content, attempt } = JSON.parse(storage.getItem(storageKey) ?? '{}')
    return { owner, content: { ...empty, ...content }, attempt }
  } catch {
    return { content: empty }
  }
}

/** What of it decides who is sent it when. */
export function rulesOf(content: DraftContent, zone: string) {
  const { when, class: urgency, type, ignoresQuiet, isAgain, channels, smsAtMost, triedForHours } = content
  // a time that cannot be read is for the API to refuse, at its field
  const at = when === 'now' ? 'now' : (instantOf(zone, content.at) ?? content.at)
  return {
    at,
    class: urgency,
    ...(stepsOf(content) ?? (channels ? { channels: [...channels] } : {})),
    ...(smsAtMost === undefined ? {} : { ceiling: { parts: smsAtMost } }),
    ...(triedForHours === usualHours ? {} : { expires: hoursAfter(at, triedForHours) }),
    type,
    ...(ignoresQuiet ? ({ quiet: 'ignore' } as const) : {}),
    ...(isAgain ? ({ duplicates: 'allow' } as const) : {}),
  }
}

/** an ISO 8601 duration */
const smsAfter = 'PT10M'

/** Undefined where SMS does not go last, or nothing goes before it. A program confirms nothing. */
function stepsOf({ smsLater, channels, confirm }: DraftContent): Pick<MessageInput, 'steps'> | undefined {
  const first = smsLater?.filter((channel) => !channels || channels.includes(channel)) ?? []
  if (first.length === 0 || (channels && !channels.includes('sms'))) return undefined
  const unless = confirm && !first.includes('http') ? 'confirmed' : 'sent'
  return { steps: [{ channels: first }, { channels: ['sms'], after: smsAfter, unless }] }
}

/** By the minute: what is asked and what is sent shortly after are the same. A time that cannot be read stays so. */
function hoursAfter(at: string, hours: number): string {
  const minuteMs = 60_000
  const from = at === 'now' ? Math.ceil(Date.now() / minuteMs) * minuteMs : Date.parse(at)
  return Number.isNaN(from) ? at : new Date(from + hours * 60 * minuteMs).toISOString()
}

/** Of the text, those that are of nobody by themselves: a value may be given for everybody. */
export function fieldsOf({ text, template }: DraftContent): string[] {
  const names = textsIn(template?.text ?? text)
    .flatMap(fieldsIn)
    .map(({ name }) => name)
  const own: readonly string[] = ownFields
  return [...new Set(names)].filter((name) => fieldNamePattern.test(name) && !own.includes(name))
}

/** Of a template, what the sender was asked for and has not said. */
export const unsaidIn = ({ template, values }: DraftContent): string[] =>
  (template?.fields ?? []).map(({ name }) => name).filter((name) => (values[name] ?? '').trim() === '')

/** Two braces that are no field are braces. */
const isPersonal = (text: string) => fieldsIn(text).some(({ name }) => fieldNamePattern.test(name))

/** What people are written. */
export function saidOf(content: DraftContent): Pick<MessageInput, 'text' | 'template' | 'fields'> {
  const { text, template, values } = content
  const given = fieldsOf(content).flatMap((name) => {
    const value = (values[name] ?? '').trim()
    return value === '' ? [] : [[name, value] as const]
  })
  const fields = Object.fromEntries(given)
  if (template) return { template: { id: template.id, version: template.version }, fields }
  return isPersonal(text) ? { text, fields } : { text }
}

function messageOf(content: DraftContent, zone: string, sha256?: string): MessageInput {
  const { at, ...rules } = rulesOf(content, zone)
  return {
    to: content.to.map(({ token }) => token),
    ...saidOf(content),
    ...(content.subject.trim() === '' ? {} : { subject: content.subject }),
    ...rules,
    ...(content.confirm ? { confirm: content.confirm } : {}),
    ...(at === 'now' && content.class !== 'urgent' ? { in: takenBackSeconds } : { at }),
    forecast: true,
    source: 'web',
    ...(sha256 ? { expect: { sha256 } } : {}),
  }
}

/** crypto.randomUUID() is there behind https only */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
