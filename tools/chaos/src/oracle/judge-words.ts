/** What people are told in words and by exit codes, beside what the receipts say: a sentence that counts falsely is told falsely. */
import type { Channel, Message } from '../expectations.ts'
import type { Violation } from '../report.ts'
import { failedLater, type Receipts } from './receipts.ts'
import { type State, stateOf } from './states.ts'
import { nameOf } from './watched.ts'

/** what the API calls them, in the order in which it takes the first that fits */
export const classes = [
  'delivered',
  'sentToChat',
  'handedOver',
  'pending',
  'unknown',
  'notDelivered',
  'withoutContact',
] as const
export type Class = (typeof classes)[number]
export type People = Readonly<Partial<Record<Class, number>>>

/** the answer of a tracker, and of the command line */
export interface Told {
  readonly sentence: string
  readonly people: People | undefined
  /** absent where nobody was asked */
  readonly commandLine?: { readonly code: number | null; readonly out: string; readonly err: string }
}

/** a phone's operator may still tell, a chat cannot */
const mayTellMore: Readonly<Record<Channel, boolean>> = { telegram: false, vk: false, sms: true, http: false }

function classOf(state: State, channel: Channel): Class {
  switch (state) {
    case 'delivered':
    case 'read':
    case 'confirmed':
      return 'delivered'
    case 'sent':
      return mayTellMore[channel] ? 'handedOver' : 'sentToChat'
    case 'pending':
    case 'unknown':
      return state
    case 'no-contact':
      return 'withoutContact'
    default:
      return 'notDelivered'
  }
}

/** Everyone of the audience once, by all of their receipts. */
export function peopleOf({ audience }: Message, receipts: Receipts): Readonly<Record<Class, number>> {
  const told = Object.entries(receipts) as [Channel, Uint8Array][]
  const counts = Object.fromEntries(classes.map((name) => [name, 0])) as Record<Class, number>
  for (let ordinal = 0; ordinal < audience.length; ordinal += 1) {
    const ranks = told.map(([channel, codes]) => {
      const code = codes[ordinal] as number
      return classes.indexOf(classOf(code === failedLater ? 'failed' : stateOf(code), channel))
    })
    counts[classes[Math.min(...ranks)] as Class] += 1
  }
  return counts
}

/** how each class is said in the API's English, its number among the words */
const wordings: Readonly<Record<Class, RegExp>> = {
  delivered: /(\d+) delivered|got it: (\d+)/g,
  // what was taken by a URL, too, and both are said of some
  sentToChat: /(\d+) (?:sent to the chat|taken by another system)/g,
  handedOver: /(\d+) taken by the operator, not confirmed yet/g,
  pending: /(\d+) still being sent/g,
  unknown: /(\d+) not known whether it arrived/g,
  notDelivered: /(\d+) not delivered/g,
  withoutContact: /(\d+) without a contact|none of (\d+)/g,
}

/** Judges what was told of a message that has settled. */
export function judgeWords(message: Message, receipts: Receipts, told: Told): Violation[] {
  const violations: Violation[] = []
  const add = (what: string) => violations.push({ kind: 'told-falsely', message: nameOf(message), what })
  const people = peopleOf(message, receipts)
  for (const name of classes) {
    const counted = told.people?.[name]
    if (counted !== people[name]) add(`counts ${counted} ${name}; by the receipts they are ${people[name]}`)
  }
  for (const what of wrongIn(told.sentence, people)) add(what)
  if (told.commandLine) {
    const { code, out, err } = told.commandLine
    if (code === 2) add(`the command line could not answer: ${err}`)
    else if (!out.includes(told.sentence)) add(`the command line says something else: ${out.split('\n', 1)[0]}`)
    if (code !== exitCodeOf(people)) add(`the command line ended with ${code}: ${told.sentence}`)
  }
  return violations
}

/** Judges what was told of a message that was cancelled before it started: nobody has it, and that is what is said. */
export function judgeCancelled(message: Message, { sentence, commandLine }: Told): Violation[] {
  const said = [sentence, ...(commandLine ? [commandLine.out] : [])]
  const isSo =
    said.every((text) => text.startsWith('It was cancelled before it started')) && (commandLine?.code ?? 1) === 1
  const what = `was cancelled before it started, and says "${sentence}"`
  return isSo ? [] : [{ kind: 'told-falsely', message: nameOf(message), what }]
}

function* wrongIn(sentence: string, people: Readonly<Record<Class, number>>): Generator<string> {
  // reasons stand in brackets; 50,000 is 50000
  const bare = sentence.replace(/\([^()]*\)/g, '').replace(/(?<=\d),(?=\d{3})/g, '')
  for (const name of classes) {
    const found = [...bare.matchAll(wordings[name])].map((match) => Number(match.slice(1).find(Boolean)))
    const expected = people[name] === 0 ? [] : [people[name]]
    if (found.join() !== expected.join()) yield `says "${sentence}" of ${people[name]} ${name}`
  }
  if (people.delivered === 0 && /(?<!Nobody |It is not known that anybody )got it|(?<!not )delivered/.test(bare))
    yield `says "${sentence}", and of nobody is that known`
}

/** as docs/command-line.md has it, of a message that has settled */
function exitCodeOf({
  delivered,
  sentToChat,
  handedOver,
  unknown,
  notDelivered,
}: Readonly<Record<Class, number>>): number {
  if (notDelivered > 0 || delivered + sentToChat + handedOver + unknown === 0) return 1
  return handedOver + unknown > 0 ? 3 : 0
}
