/** Who has which text after a correction, and who still has it after a recall: by what stands on their phones, beside what the history counts. */
import { type ShapedChannel, shapedChannels } from '../shaped-messages.ts'
import { bareText, isFollowUp } from './judge-shaped.ts'
import { type Add, type Corrected, markToTakenMs, type Seen, shownTo } from './shaped-views.ts'

export interface HowCorrected {
  readonly edited: number
  /** of those who were edited */
  readonly alsoTold: number
  readonly followedUp: number
  readonly uncorrected: number
}

/** What stands on somebody's phone of it. */
const textsOf = (seen: Seen, channel: ShapedChannel, person: string): string[] =>
  shownTo(seen, channel, person).flatMap((each) => seen.nowOf(each) ?? [])

/** @returns what became of whoever had the older text; undefined where there was no correction */
export function judgeCorrection(seen: Seen, add: Add): HowCorrected | undefined {
  const { message, view } = seen
  const correction = message.correction
  const version = view.versions?.[1]
  if (!correction || !version) {
    if (correction?.isAccepted) add('lost', 'its correction was answered as accepted, and the history has none')
    return undefined
  }
  if (!correction.texts.some((text) => text === version.text))
    add('told-falsely', `has another text as its correction: ${version.text}`)
  const all = { edited: 0, alsoTold: 0, followedUp: 0, uncorrected: 0 }
  for (const channel of shapedChannels) {
    const counts = version.corrected?.[channel] ?? nobody
    all.edited += counts.edited
    all.alsoTold += counts.alsoTold ?? 0
    all.followedUp += counts.followedUp
    all.uncorrected += counts.uncorrected + counts.unknown
    judgeTexts(seen, channel, counts, add)
    judgeOldTexts(seen, channel, Date.parse(version.at), add)
  }
  return all
}

const nobody: Corrected = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }

function judgeTexts(seen: Seen, channel: ShapedChannel, counts: Corrected, add: Add): void {
  const { message } = seen
  if (counts.pending > 0) add('lost', `has settled, and ${counts.pending} are still to be corrected`, { channel })
  const { edited, followedUp: told, alsoTold = 0, toBeTold = 0 } = counts
  if (toBeTold > 0) add('lost', `has settled, and ${toBeTold} are still to be told of their edit`, { channel })
  // what was withdrawn since stands nowhere
  if (message.withdrawal) return
  if (message.correction?.tellsAll && alsoTold < edited)
    add('lost', `${edited} were edited, and ${alsoTold} told besides`, { channel })
  let [alone, corrected, followedUp] = [0, 0, 0]
  for (const person of message.people) {
    const texts = textsOf(seen, channel, person.id)
    const hasNew = texts.some((text) => bareText(text) === message.correction?.textFor(person))
    if (hasNew) corrected += 1
    else if (texts.length > 0) alone += 1
    if (texts.some(isFollowUp)) followedUp += 1
  }
  const listed = counts.unknown + counts.uncorrected
  if (alone > listed) add('told-falsely', `${alone} have the older text alone, and ${listed} are listed`, { channel })
  if (edited + told > corrected)
    add('told-falsely', `counts ${edited} edited and ${told} told; ${corrected} have the new text`, { channel })
  if (told + alsoTold > followedUp)
    add('told-falsely', `counts ${told + alsoTold} told by a message of its own; ${followedUp} have one`, { channel })
}

/** From the correction on nobody is marked with an older text. */
function judgeOldTexts(seen: Seen, channel: ShapedChannel, correctedMs: number, add: Add): void {
  const { message, shown, clocksApartMs } = seen
  const lastMs = correctedMs + markToTakenMs + clocksApartMs
  for (const { channel: on, person, text, at } of shown)
    if (on === channel && bareText(text) !== message.correction?.textFor(person) && at > lastMs)
      add('told-falsely', `was sent the older text ${at - correctedMs} ms after it was corrected`, {
        channel,
        person: person.id,
      })
}

export interface Withdrawn {
  readonly deleted: number
  readonly remaining: number
}

/** @returns what became of whoever had it; undefined where it was not withdrawn */
export function judgeRecall(seen: Seen, add: Add): Withdrawn | undefined {
  const { message, view, shown, clocksApartMs } = seen
  const { recalled } = view
  if (message.withdrawal === 'cancelled' && shown.length > 0)
    add('told-falsely', `was answered as cancelled, so that nobody has it; providers accepted it ${shown.length} times`)
  if (!recalled) {
    if (message.withdrawal === 'withdrawing')
      add('lost', 'its recall was answered as accepted, and the history has none')
    return undefined
  }
  const all = { deleted: 0, remaining: 0 }
  for (const channel of shapedChannels) {
    const counts = recalled.channels[channel] ?? { deleted: 0, replaced: 0, pending: 0, remaining: 0 }
    all.deleted += counts.deleted
    all.remaining += counts.remaining
    if (counts.pending > 0) add('lost', `has settled, and ${counts.pending} are still to be withdrawn`, { channel })
    const had = message.people.filter(({ id }) => shownTo(seen, channel, id).length > 0)
    const have = had.filter(({ id }) => textsOf(seen, channel, id).length > 0).length
    if (have > counts.remaining + counts.replaced)
      add('told-falsely', `${have} still have it, and ${counts.remaining} are counted`, { channel })
    if (counts.deleted > had.length - have)
      add('told-falsely', `counts ${counts.deleted} deleted; ${had.length - have} have lost it`, { channel })
  }
  const atMs = Date.parse(recalled.at)
  for (const { channel, person, at } of shown)
    if (at > atMs + markToTakenMs + clocksApartMs)
      add('told-falsely', `was sent it ${at - atMs} ms after it was withdrawn`, { channel, person: person.id })
  return all
}
