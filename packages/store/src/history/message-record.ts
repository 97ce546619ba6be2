/** What is fixed at acceptance, packed as one string in `record:…`: the head of the audience, then JSON. */
import type {
  Ceiling,
  Confirm,
  FollowUp,
  MessageData,
  MessageFile,
  MessageRules,
  Personal,
  PersonalText,
  Recheck,
  SenderLine,
  SenderLineForm,
} from '@courier-fleet/api-types'
import { headBytes } from './audience.ts'

/** It goes out when somebody is online: true, each of its people themselves; else the person who is named, of a message to URLs. */
export type WhoseOnline = true | string

export interface MessageRecord {
  readonly source: string
  readonly text: string
  readonly to: readonly string[]
  /** bytes an id in the audience */
  readonly width: number
  /** of a large audience; that of a small one is computed where it is asked for */
  readonly sha256: string | undefined
  readonly senderLine: SenderLine | undefined
  readonly subject: string | undefined
  /** where the text says `secretMark`, couriers put the secret of the message, which lies under a key of its own */
  readonly hasSecret?: boolean
  /** as rulesIn() gives them */
  readonly rules?: MessageRules | undefined
  /** for programs, beside the text */
  readonly data?: MessageData | undefined
  readonly recheck?: Recheck | undefined
  readonly online?: WhoseOnline | undefined
  /** its people are asked to confirm it */
  readonly confirm?: Confirm | undefined
  /** of one that was corrected; see versions.ts */
  readonly correction?: Correction | undefined
  /** what makes the text another for each; absent where everybody reads the same */
  readonly personal?: Personal | undefined
  /** what its SMS may come to */
  readonly ceiling?: Ceiling | undefined
  /** whose text it is; nothing that is done with the template later changes it */
  readonly template?: UsedTemplate | undefined
  /** of the sender, where a day of theirs had a budget when it was accepted */
  readonly role?: string | undefined
  /** that go with it */
  readonly files?: readonly MessageFile[] | undefined
}

export interface UsedTemplate {
  readonly id: string
  readonly version: number
}

/** What a message of its own begins with that corrects an older text. */
export interface Intros {
  /** of the text itself */
  readonly intro: string
  /** by language, of those besides; absent where there are none */
  readonly intros?: Readonly<Record<string, string>> | undefined
}

/** Of the newest text. */
export interface Correction extends Partial<Intros> {
  /** number of the text, from 2 */
  readonly version: number
  /** absent: nobody is sent a message of its own */
  readonly intro?: string
  /** who was to be sent one, as the call said; absent of a recall, and of what an earlier build has corrected */
  readonly followUp?: FollowUp
  /** there is no newer text: the message is withdrawn, and `version` is the number of that */
  readonly isRecall?: true
}

/** Stands in a text for what is kept only until the message is over: a sign-in code. */
export const secretMark = '••••••••'

/** In the order they are written; what is absent at the end is left out, and is `null` before. */
type Fields = [
  source: string,
  text: string,
  to: readonly string[],
  width: number,
  sha256?: string | null | undefined,
  senderLine?: PackedLine | null | undefined,
  subject?: string | null | undefined,
  hasSecret?: 1 | null | undefined,
  rules?: MessageRules | null | undefined,
  data?: MessageData | null | undefined,
  recheck?: Recheck | null | undefined,
  online?: 1 | string | null | undefined,
  confirm?: Confirm | null | undefined,
  correction?: Correction | null | undefined,
  personal?: Personal | null | undefined,
  ceiling?: Ceiling | null | undefined,
  template?: [id: string, version: number] | null | undefined,
  role?: string | null | undefined,
  files?: readonly MessageFile[] | null | undefined,
]
type PackedLine = [name: string, groups: string, forms?: Readonly<Record<string, SenderLineForm>>]

export function packRecord(record: MessageRecord, rows: Buffer): string {
  const { source, text, to, width, sha256, senderLine, subject, hasSecret, rules, data, recheck, online } = record
  const line = senderLine && packLine(senderLine)
  const fields: Fields = [
    source,
    text,
    to,
    width,
    sha256,
    line,
    subject,
    hasSecret ? 1 : undefined,
    rules,
    data,
    recheck,
    online === true ? 1 : online,
    record.confirm,
    record.correction,
    record.personal,
    record.ceiling,
    record.template && [record.template.id, record.template.version],
    record.role,
    record.files,
  ]
  while (fields.at(-1) === undefined) fields.pop()
  return rows.toString('latin1', 0, headBytes) + JSON.stringify(fields)
}

export function parseRecord(packed: string): MessageRecord {
  const fields = JSON.parse(packed.slice(packed.indexOf('['))) as Fields
  const [source, text, to, width, sha256, line, subject, secret, rules, data, recheck, online, ...more] = fields
  const [confirm, correction, personal, ceiling, template, role, files] = more
  return {
    source,
    text,
    to,
    width,
    sha256: sha256 ?? undefined,
    senderLine: line ? parseLine(line) : undefined,
    subject: subject ?? undefined,
    hasSecret: secret === 1,
    rules: rules ?? undefined,
    ...(data ? { data } : {}),
    ...(recheck ? { recheck } : {}),
    ...(online == null ? {} : { online: online === 1 ? true : online }),
    ...(confirm ? { confirm } : {}),
    ...(correction ? { correction } : {}),
    ...(personal ? { personal } : {}),
    ...(ceiling ? { ceiling } : {}),
    ...(template ? { template: { id: template[0], version: template[1] } } : {}),
    ...(role ? { role } : {}),
    ...(files ? { files } : {}),
  }
}

const packLine = ({ name, groups, forms }: SenderLine): PackedLine => (forms ? [name, groups, forms] : [name, groups])

const parseLine = ([name, groups, forms]: PackedLine): SenderLine => ({ name, groups, ...(forms ? { forms } : {}) })

/** What a message of its own says that corrects an older text, each text with its own beginning. */
export function followUpText({ text, personal }: PersonalText, { intro, intros = {} }: Intros): PersonalText {
  const below = (each: string, beginning: string) => `${beginning}\n${each}`
  if (!personal?.texts) return { text: below(text, intro), personal }
  const texts = Object.entries(personal.texts).map(([language, each]) => [
    language,
    below(each, intros[language] ?? intro),
  ])
  return { text: below(text, intro), personal: { ...personal, texts: Object.fromEntries(texts) } }
}

/** The number of its newest text: what withdraws a message has a number, too, and no text. */
export function textNumber({ correction }: Pick<MessageRecord, 'correction'>): number {
  const { version = 1, isRecall } = correction ?? {}
  return isRecall ? version - 1 : version
}
