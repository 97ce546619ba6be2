/** What somebody wants who has written a text. What is not clear is `unclear`: nothing is guessed. */
import { isCode } from '@courier-fleet/api-types'
import { type Hours, readHours } from './read-hours.ts'
import { isSame, type Spelling, spellingOf } from './spelling.ts'

export type Command =
  | { readonly kind: 'stop' | 'start' | 'limit' | 'help' | 'status' }
  | { readonly kind: 'code'; readonly code: string }
  /** to join a topic or to leave it, named as it was typed; with no name the question is which there are */
  | { readonly kind: 'topic'; readonly joins: boolean; readonly name: string }
  /** a type of message, named as it was typed */
  | { readonly kind: 'switch'; readonly isOn: boolean; readonly name: string }
  /** one's own quiet hours; the question is which they are when absent */
  | { readonly kind: 'quiet'; readonly hours?: Hours }
  /** one's answer to a message that asks to be confirmed; the number that stands in it, where that was written, too */
  | { readonly kind: 'confirm'; readonly number?: string }
  /** the last message, or the last to whoever is called so */
  | { readonly kind: 'cancel'; readonly name: string }
  /** `to` as it was typed, name by name; `isMeant`: also where they have sent the same to the same people before */
  | (Written & { readonly kind: 'message'; readonly isMeant?: true; readonly timed?: Written | 'no-text' })
  /** nothing can be done with it, for this reason */
  | { readonly kind: 'unclear'; readonly lacks: 'code' | 'groups' | 'text' | 'colon' | 'hours' }

/** Whom it is for, as it was typed, and what it says. */
export interface Written {
  readonly to: readonly string[]
  readonly text: string
}

const stopWords = ['СТОП']
const startWords = ['СТАРТ', 'НАЧАТЬ']
/** as elsewhere: everything that comes here, and no type of message called so */
const allWords = ['ВСЕ', 'ALL']
const words: readonly (readonly ['stop' | 'start' | 'limit' | 'help' | 'status', readonly string[]])[] = [
  ['stop', stopWords],
  ['start', startWords],
  ['limit', ['ЛИМИТ']],
  ['help', ['ПОМОЩЬ', 'HELP']],
  ['status', ['ИТОГ', 'STATUS']],
]
const codeWords = ['КОД', 'CODE']
const againWords = ['ПОВТОР', 'AGAIN']
const topicWords: readonly (readonly [joins: boolean, words: readonly string[]])[] = [
  [true, ['ПОДПИСКА', 'ПОДПИСАТЬСЯ', 'SUBSCRIBE']],
  [false, ['ОТПИСКА', 'ОТПИСАТЬСЯ', 'UNSUBSCRIBE']],
]
const confirmWords = ['ДА', 'YES']
const cancelWords = ['ОТМЕНА', 'CANCEL']
const quietWords = ['ТИХО', 'QUIET']
/** a longer text is no single word and no code; and one sign of Unicode may stand for eighteen */
const maxWordLength = 1_000
/** more names, or a longer one, are no list of groups */
const maxNames = 100
const maxNameLength = 100

const isOneOf = (spelling: Spelling, list: readonly string[]) => list.some((word) => isSame(spelling, spellingOf(word)))

/** Total: any text whatever gives a command. */
export function readCommand(text: string): Command {
  if (text.length > maxWordLength) return messageIn(text)
  const whole = spellingOf(text)
  for (const [kind, list] of words) if (isOneOf(whole, list)) return { kind }
  return codeIn(whole) ?? confirmIn(whole) ?? topicIn(text) ?? wishIn(text) ?? cancelIn(text) ?? messageIn(text)
}

/** Whoever says it means it, whatever else is the matter with the text. */
export const isStop = (text: string): boolean => readCommand(text).kind === 'stop'

/** `КОД 1234 5678` and the like: the word, then nothing but digits. */
function codeIn({ look }: Spelling): Command | undefined {
  const [, word, code] = /^(\P{N}+)(\d*)$/u.exec(look) ?? []
  if (word === undefined || code === undefined || !isOneOf(spellingOf(word), codeWords)) return undefined
  return isCode(code) ? { kind: 'code', code } : { kind: 'unclear', lacks: 'code' }
}

/** `ДА`, `Да, 47`. */
function confirmIn({ look }: Spelling): Command | undefined {
  const [, word, number] = /^(\P{N}+)(\d*)$/u.exec(look) ?? []
  if (word === undefined || number === undefined || !isOneOf(spellingOf(word), confirmWords)) return undefined
  return number === '' ? { kind: 'confirm' } : { kind: 'confirm', number }
}

/** A first word, and what follows it. With a colon in it, it is a message to whoever is called so. */
function orderIn(text: string): { readonly word: Spelling; readonly rest: string } | undefined {
  const [, word, rest = ''] = /^\s*([^\s:：]+)(?:\s+([^:：]*))?$/.exec(text) ?? []
  return word === undefined ? undefined : { word: spellingOf(word), rest: rest.trim() }
}

/** `ПОДПИСКА хор`: the word, then the name. */
function topicIn(text: string): Command | undefined {
  const order = orderIn(text)
  const found = order && topicWords.find(([, words]) => isOneOf(order.word, words))
  return found && { kind: 'topic', joins: found[0], name: order.rest }
}

/** `ОТМЕНА`, `ОТМЕНА ИВТ-101`. */
function cancelIn(text: string): Command | undefined {
  const order = orderIn(text)
  return order && isOneOf(order.word, cancelWords) ? { kind: 'cancel', name: order.rest } : undefined
}

/** `СТОП новости`, `СТАРТ новости`; `ТИХО 23-7`, where there may be colons. */
function wishIn(text: string): Command | undefined {
  const [, first = '', hours = ''] = /^\s*([^\s:：]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  if (isOneOf(spellingOf(first), quietWords)) return quietIn(hours.trim())
  const order = orderIn(text)
  if (!order || order.rest === '') return undefined
  const isOn = isOneOf(order.word, startWords)
  if (!isOn && !isOneOf(order.word, stopWords)) return undefined
  if (isOneOf(spellingOf(order.rest), allWords)) return { kind: isOn ? 'start' : 'stop' }
  return { kind: 'switch', isOn, name: order.rest }
}

/** Whatever is no hours after the word is a message where it has a colon and begins with no number. */
function quietIn(text: string): Command | undefined {
  if (text === '') return { kind: 'quiet' }
  const hours = readHours(text)
  if (hours) return { kind: 'quiet', hours }
  return /[:：]/.test(text) && !/^\d/.test(text) ? undefined : { kind: 'unclear', lacks: 'hours' }
}

/** a colon between hours and minutes */
const inTime = /(?<!\d)\d{1,2}[:：]$/
const minutes = /^\d\d(?!\d)\s*/

/** `ИВТ-101, поток 3: Пары не будет`, or `ПОВТОР ИВТ-101: …`: names up to the first colon that is not of a `group:`, `cohort:` or `topic:`. */
function messageIn(whole: string): Command {
  // blanks end at a line feed, which begins a name itself: read again at each of many, they would take forever
  const masked = whole.replace(/(^|[,;\n])([^\S\n]*(?:group|cohort|topic)):/gi, '$1$2\0')
  const colon = masked.search(/[:：]/)
  if (colon < 0) return { kind: 'unclear', lacks: 'colon' }
  const written = splitAt(whole, colon)
  if (typeof written === 'string') return { kind: 'unclear', lacks: written }
  const timed = timedIn(whole, colon)
  return { kind: 'message', ...written, ...(timed === undefined ? {} : { timed }) }
}

type Read = Written & { readonly isMeant?: true }

/** @returns what is lacking where it is no message */
function splitAt(whole: string, colon: number): Read | 'groups' | 'text' {
  const to = whole
    .slice(0, colon)
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const text = whole.slice(colon + 1).trim()
  if (to.length === 0 || to.length > maxNames || to.some((name) => name.length > maxNameLength)) return 'groups'
  if (text === '') return 'text'
  const [first = '', ...others] = to
  const [, word, rest] = /^(\S+)\s+(\S.*)$/.exec(first) ?? []
  const isMeant = word !== undefined && rest !== undefined && isOneOf(spellingOf(word), againWords)
  return isMeant ? { to: [rest, ...others], text, isMeant } : { to, text }
}

/** `ИВТ-101 завтра 8:00: …`: the other reading where the first colon may be one of a time of day. */
function timedIn(whole: string, colon: number): Written | 'no-text' | undefined {
  const rest = whole.slice(colon + 1)
  const [taken] = inTime.test(whole.slice(Math.max(0, colon - 3), colon + 1)) ? (minutes.exec(rest) ?? []) : []
  if (taken === undefined) return undefined
  const next = colon + 1 + taken.length
  const written = /^[:：]$/.test(whole.charAt(next)) ? splitAt(whole, next) : 'text'
  return typeof written === 'string' ? 'no-text' : { to: written.to, text: written.text }
}
