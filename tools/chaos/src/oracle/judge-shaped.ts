/** Person by person, what the receipts of a message of many shapes say beside what the providers took, and what each of them reads. */
import type { ShapedChannel, ShapedMessage, ShapedPerson } from '../shaped-messages.ts'
import { sum } from './judge-history.ts'
import type { Shown } from './phones.ts'
import { type Add, type Seen, type ShapedReceipt, shownTo } from './shaped-views.ts'
import { saysReached, states } from './states.ts'

const intro = /^(?:Исправление к сообщению от|Correction of the message of) [^\n]+:\n/
/** below an SMS that asks to be confirmed */
const asking = /\n(?:Прочитано: ответьте ДА|I have read this: reply YES) \d\d$/

export const isFollowUp = (text: string) => intro.test(text)
export const bareText = (text: string) => text.replace(intro, '').replace(asking, '')

export function judgeShaped(seen: Seen, add: Add): void {
  const { message, receipts } = seen
  for (const [ordinal, person] of message.people.entries()) {
    const receipt = receipts.find((each) => each.person === person.id)
    if (!receipt || receipt.ordinal !== ordinal)
      add('lost', 'its receipts do not name them in their place', { person: person.id })
    else for (const channel of message.channels) judgeReceipt(seen, person, channel, receipt, add)
  }
  judgeLedger(seen, add)
  judgeDeadline(seen, add)
}

function judgeReceipt(
  seen: Seen,
  person: ShapedPerson,
  channel: ShapedChannel,
  receipt: ShapedReceipt,
  add: Add,
): void {
  const { message, clocksApartMs } = seen
  const where = { channel, person: person.id }
  const all = shownTo(seen, channel, person.id)
  const own = all.filter(({ text }) => !isFollowUp(text))
  const times = messagesIn(own)
  if (times > 1) add('duplicated', `the provider accepted it ${times} times`, where)
  if (messagesIn(all.filter((each) => !own.includes(each))) > 1)
    add('duplicated', 'the provider accepted its correction more than once', where)
  for (const { text, at, markers } of all) {
    if (!mayRead(message, person, channel, text))
      add('told-falsely', `arrived as another text: ${JSON.stringify(text)}`, where)
    // what goes along is early by the window at most
    if (at < message.notBeforeMs - clocksApartMs && !(markers.length > 1 && message.first))
      add('told-falsely', `the provider had it ${message.notBeforeMs - at} ms before it was due`, where)
  }
  const told = receipt.channels[channel]
  // who has confirmed it may have been sent nothing but its correction
  const isTaken = (told?.state === 'confirmed' ? all : own).length > 0
  const wrong = wrongOf(message, person, channel, told, isTaken)
  if (wrong) add(...wrong, where)
}

/** What a system is told with a text that was corrected before it had it names what it takes the place of: both are one message. */
const messagesIn = (all: readonly Shown[]): number =>
  new Set(all.map(({ channel, providerId }, at) => (channel === 'http' ? providerId.replace(/-\d+$/, '') : at))).size

/** Whether somebody may read this, as it was accepted, corrected, or with what went along. */
function mayRead(message: ShapedMessage, person: ShapedPerson, channel: ShapedChannel, text: string): boolean {
  const isAsked = message.asksToConfirm && channel === 'sms'
  if (isAsked !== asking.test(text)) return false
  const corrected = message.correction?.textFor(person)
  if (isFollowUp(text)) return bareText(text) === corrected
  const own = message.textFor(person)
  const bare = text.replace(asking, '')
  return bare === own || bare === corrected || bare.split('\n\n').includes(own)
}

function wrongOf(
  message: ShapedMessage,
  person: ShapedPerson,
  channel: ShapedChannel,
  receipt: ShapedReceipt['channels'][string] | undefined,
  isTaken: boolean,
): readonly ['lost' | 'told-falsely', string] | undefined {
  if (!receipt) return ['lost', 'has settled without a receipt there']
  const { state, reason } = receipt
  const hasContact = person.contacts[channel] !== undefined
  if (state === 'pending') return ['lost', 'settled, and the receipt still says pending']
  if (saysReached(state))
    return isTaken ? undefined : ['told-falsely', `told as ${state}; the provider never accepted it`]
  if (state === 'unknown') {
    if (!hasContact) return ['told-falsely', 'told as unknown, without a contact']
    // whose message has ended is not sent again
    return channel === 'sms' || message.withdrawal
      ? undefined
      : ['told-falsely', 'told as unknown, and could be sent again']
  }
  if (state === 'failed' && reason === 'undelivered')
    return isTaken
      ? undefined
      : ['told-falsely', 'told as refused after it had been sent; the provider never accepted it']
  if (isTaken) return ['told-falsely', `told as ${state}; the provider accepted it`]
  if (state === 'no-contact') return hasContact ? ['told-falsely', 'told as no-contact, with one'] : undefined
  if (state === 'failed')
    return hasContact && person.refusedBy.includes(channel)
      ? undefined
      : ['lost', 'told as failed; the phone is in order and got nothing']
  const isSpared = message.steps && channel === message.channels[1] && reason === 'reached-elsewhere'
  if (state === 'cancelled' && (isSpared || message.withdrawal)) return undefined
  return ['told-falsely', `told as ${state}${reason ? ` (${reason})` : ''}; nobody asked for that`]
}

function judgeLedger({ message, view, receipts }: Seen, add: Add): void {
  for (const channel of message.channels) {
    const line = view.channels[channel]
    if (!line) add('lost', 'settled without this channel, which it was meant for', { channel })
    else {
      const told = states.map(
        (state) => [state, receipts.filter((each) => each.channels[channel]?.state === state).length] as const,
      )
      const different = told.filter(([state, count]) => (line[state] ?? 0) !== count)
      for (const [state, count] of different)
        add('imbalance', `counts ${line[state] ?? 0} ${state}; its receipts are ${count}`, { channel })
      if (sum(line) !== message.people.length) add('imbalance', `counts sum up to ${sum(line)}`, { channel })
    }
  }
}

const deadlineMs = 5_000

/** Who was told in time, and who late: each once, by whichever channel was first. */
function judgeDeadline({ message, view, receipts, shown, clocksApartMs }: Seen, add: Add): void {
  if (!view.deadline || view.at === undefined) return
  const { inTime, late } = view.deadline
  const isTold = ({ channels }: ShapedReceipt) => Object.values(channels).some(({ state }) => saysReached(state))
  const mayBeTold = ({ channels }: ShapedReceipt) =>
    Object.values(channels).some(
      ({ state, reason }) => saysReached(state) || state === 'unknown' || reason === 'undelivered',
    )
  const [least, most] = [receipts.filter(isTold).length, receipts.filter(mayBeTold).length]
  if (inTime + late < least || inTime + late > most)
    add('imbalance', `counts ${inTime} told in time and ${late} late; by the receipts they are ${least} to ${most}`)
  const byMs = Date.parse(view.at) + deadlineMs + clocksApartMs
  const early = message.people.filter(({ id }) => shown.some(({ person, at }) => person.id === id && at <= byMs)).length
  if (inTime > early) add('told-falsely', `counts ${inTime} told in time; providers had it for ${early} by then`)
}
