import { expect } from 'chai'
import { judgeConfirmed } from '../../src/oracle/judge-confirmed.ts'
import { judgePair } from '../../src/oracle/judge-pairs.ts'
import { judgeShaped } from '../../src/oracle/judge-shaped.ts'
import { judgeSteps } from '../../src/oracle/judge-steps.ts'
import { judgeCorrection, judgeRecall } from '../../src/oracle/judge-versions.ts'
import { createReader, latestOf, type Shown } from '../../src/oracle/phones.ts'
import type { Add, Seen, ShapedHistory, ShapedReceipt } from '../../src/oracle/shaped-views.ts'
import {
  type Correction,
  createShapedMessages,
  type ShapedChannel,
  type ShapedEntry,
  type ShapedMessage,
  type ShapedPerson,
  shapedText,
} from '../../src/shaped-messages.ts'

const acceptedMs = Date.parse('2026-09-01T06:00:00Z')
const afterMs = 30_000
const person = (number: number): ShapedPerson => ({
  id: `p${number}`,
  name: `Person ${number}`,
  language: 'ru',
  contacts: { telegram: `7${number}`, vk: `5${number}`, sms: `+7${number}`, http: `http://receiver.test/ok/${number}` },
  refusedBy: [],
})
const people = [person(0), person(1)]
const [ann, boris] = people as [ShapedPerson, ShapedPerson]
const everywhere = ['telegram', 'vk', 'sms'] as const
const correctedTo = (text: string): Correction => ({
  textFor: () => text,
  texts: [text],
  tellsAll: false,
  askedMs: acceptedMs + 500,
  isAccepted: true,
})
const iso = (ms: number) => new Date(ms).toISOString()

/** What was recorded of one message: the truth, until a test says something else. */
interface Recorded {
  readonly message: ShapedMessage
  readonly view: ShapedHistory
  readonly receipts: ShapedReceipt[]
  readonly rows: { channel: ShapedChannel; person: ShapedPerson; text: string; at: number; providerId: string }[]
  readonly revisions: { channel: string; providerId: string; text?: string }[]
}

/** Taken at once by every channel, for everybody. */
function record(entry: Partial<ShapedEntry> = {}, messages = createShapedMessages(people)): Recorded {
  const message = messages.enter({
    people,
    channels: everywhere,
    notBeforeMs: acceptedMs,
    words: () => 'Лаба',
    ...entry,
  })
  message.key = `07.chaos.${message.marker}`
  message.standing = 'accepted'
  const channels = Object.fromEntries(
    message.channels.map((channel) => [channel, { state: 'settled', accepted: message.people.length }]),
  )
  const recorded: Recorded = {
    message,
    view: { key: message.key, state: 'settled', at: iso(acceptedMs), channels },
    receipts: message.people.map(({ id }, ordinal) => ({ ordinal, person: id, channels: {} })),
    rows: [],
    revisions: [],
  }
  for (const each of message.people)
    for (const channel of message.channels) {
      tell(recorded, channel, each, 'sent', { at: iso(acceptedMs + 100) })
      take(recorded, channel, each, message.textFor(each))
    }
  return recorded
}

function tell({ receipts }: Recorded, channel: ShapedChannel, { id }: ShapedPerson, state: string, more = {}): void {
  const receipt = receipts.find((each) => each.person === id) as ShapedReceipt
  Object.assign(receipt.channels, { [channel]: { state, ...more } })
}

function take({ rows }: Recorded, channel: ShapedChannel, to: ShapedPerson, text: string, at = acceptedMs + 50): void {
  rows.push({ channel, person: to, text, at, providerId: String(rows.length + 1) })
}

function forget({ rows }: Recorded, channel: ShapedChannel, { id }: ShapedPerson): void {
  rows.splice(
    rows.findIndex((each) => each.channel === channel && each.person.id === id),
    1,
  )
}

const revise = ({ rows, revisions }: Recorded, channel: ShapedChannel, text?: string) => {
  for (const row of rows)
    if (row.channel === channel)
      revisions.push({ channel, providerId: row.providerId, ...(text === undefined ? {} : { text }) })
}

/** The ledger is that of the receipts, and the rows are read as the log of the stand-ins is. */
function seenOf({ message, view, receipts, rows, revisions }: Recorded, clocksApartMs: number): Seen {
  for (const channel of message.channels) {
    const line: Record<string, unknown> = { state: 'settled', accepted: message.people.length }
    for (const { channels } of receipts) {
      const { state = '' } = channels[channel] ?? {}
      line[state] = Number(line[state] ?? 0) + 1
    }
    Object.assign(view.channels, { [channel]: line })
  }
  const read = createReader(people)
  const shown = rows.flatMap(({ person: { contacts }, ...row }, seq): readonly Shown[] => {
    const found = read({ seq, ...row, address: contacts[row.channel] as string })
    return found?.markers.includes(message.marker) ? [found] : []
  })
  return { message, view, receipts, shown, nowOf: latestOf(revisions), clocksApartMs }
}

/** What is found, `kind channel person: what`. */
function judged(recorded: Recorded, clocksApartMs = 0): string[] {
  const found: string[] = []
  const add: Add = (kind, what, { channel = '-', person: id = '-' } = {}) =>
    found.push(`${kind} ${channel} ${id}: ${what}`)
  const seen = seenOf(recorded, clocksApartMs)
  judgeShaped(seen, add)
  judgeSteps(seen, add)
  judgeConfirmed(seen, add)
  judgePair(seen, add)
  judgeCorrection(seen, add)
  judgeRecall(seen, add)
  return found
}

describe('the judge of messages of many shapes', () => {
  it('is content with the truth, and finds whoever was sent it twice, never, or as something else', () => {
    expect(judged(record())).eql([])
    const lies: readonly (readonly [(recorded: Recorded) => void, RegExp])[] = [
      [(r) => take(r, 'vk', ann, r.message.textFor(ann)), /^duplicated vk p0: the provider accepted it 2 times$/],
      [(r) => forget(r, 'vk', ann), /^told-falsely vk p0: told as sent; the provider never accepted it$/],
      [(r) => tell(r, 'vk', ann, 'cancelled'), /^told-falsely vk p0: told as cancelled; the provider accepted it$/],
      [(r) => tell(r, 'vk', ann, 'unknown'), /^told-falsely vk p0: told as unknown, and could be sent again$/],
      [(r) => tell(r, 'sms', ann, 'pending'), /^lost sms p0: settled, and the receipt still says pending$/],
      [
        (r) => Object.assign(r.rows[0] as object, { text: '[s0] else' }),
        /^told-falsely telegram p0: arrived as another/,
      ],
      [
        (r) => Object.assign(r.rows[0] as object, { at: acceptedMs - 5 }),
        /^told-falsely telegram p0: .* 5 ms before it was due$/,
      ],
    ]
    for (const [lie, expected] of lies) {
      const recorded = record()
      lie(recorded)
      const [first, ...more] = judged(recorded)
      expect(first).match(expected)
      expect(more).eql([])
    }
  })

  it('knows what each of a personal text reads', () => {
    const personal = record({ isPersonal: true, words: ({ name }) => `${name}, лаба` })
    expect(judged(personal)).eql([])
    for (const row of personal.rows) row.text = personal.message.textFor(ann)
    expect(judged(personal)).length(3)
  })

  it('knows who was told in time', () => {
    const told = (inTime: number, late: number) => {
      const recorded = record()
      Object.assign(recorded.view, { deadline: { inTime, late } })
      for (const row of recorded.rows) if (row.person === boris) row.at = acceptedMs + 6_000
      return judged(recorded)
    }
    expect(told(1, 1)).eql([])
    expect(told(2, 0)).eql(['told-falsely - -: counts 2 told in time; providers had it for 1 by then'])
    expect(told(1, 0)).eql(['imbalance - -: counts 1 told in time and 0 late; by the receipts they are 2 to 2'])
  })

  describe('of steps', () => {
    /** By SMS first; whoever has it is spared Telegram. */
    function stepped(unless: 'sent' | 'confirmed' = 'sent') {
      const channels = unless === 'sent' ? (['sms', 'telegram'] as const) : (['telegram', 'sms'] as const)
      const recorded = record({ channels, steps: { afterMs, unless } })
      for (const each of people) spare(recorded, each)
      if (unless === 'confirmed')
        for (const receipt of recorded.receipts) confirm(recorded, receipt, acceptedMs + 29_000)
      return recorded
    }
    function spare(recorded: Recorded, each: ShapedPerson) {
      const second = recorded.message.channels[1] as ShapedChannel
      tell(recorded, second, each, 'cancelled', { reason: 'reached-elsewhere' })
      forget(recorded, second, each)
    }
    const confirm = ({ message }: Recorded, receipt: ShapedReceipt, atMs: number) => {
      message.answers.set(receipt.person, [{ text: 'Лаба', atMs }])
      Object.assign(receipt, { confirmed: { channel: 'telegram', at: iso(atMs) } })
    }
    function send(recorded: Recorded, each: ShapedPerson, atMs: number) {
      const second = recorded.message.channels[1] as ShapedChannel
      tell(recorded, second, each, 'sent', { at: iso(atMs) })
      take(recorded, second, each, recorded.message.textFor(each), atMs)
    }

    it('is content with whoever is spared, and finds who was spared though nobody had reached them', () => {
      expect(judged(stepped())).eql([])
      expect(judged(stepped('confirmed'))).eql([])
      const unreached = stepped()
      tell(unreached, 'sms', ann, 'unknown')
      expect(judged(unreached)).eql(['lost telegram p0: spared this step, and nobody had reached them'])
    })

    it('allows for what clocks that are apart make of it, and for no more', () => {
      const recorded = stepped()
      send(recorded, boris, acceptedMs + afterMs + 500)
      expect(judged(recorded, 29_900)).lengthOf(1)
      expect(judged(recorded, afterMs + 500)).eql([])
      const early = record()
      Object.assign(early.rows[0] as object, { at: acceptedMs - 5 })
      expect(judged(early, 4)).lengthOf(1)
      expect(judged(early, 5)).eql([])
    })

    it('finds a mark that follows the receipt that was there: the condition left out', () => {
      const recorded = stepped()
      send(recorded, boris, acceptedMs + afterMs + 500)
      expect(judged(recorded)).eql([
        'told-falsely telegram p1: was sent this step though they were reached 29950 ms before it was due',
      ])
    })

    it('finds an SMS after a confirmation that came before the step was due, however closely', () => {
      const recorded = stepped('confirmed')
      send(recorded, boris, acceptedMs + afterMs + 100)
      expect(judged(recorded)).eql([
        'told-falsely sms p1: was sent this step though they were reached 1050 ms before it was due',
      ])
    })

    it('finds one that was recorded when the step was due, and a good while before it was sent', () => {
      const recorded = stepped('confirmed')
      confirm(recorded, recorded.receipts[1] as ShapedReceipt, acceptedMs + afterMs + 400)
      send(recorded, boris, acceptedMs + afterMs + 26_000)
      expect(judged(recorded)).eql([
        'told-falsely sms p1: was sent this step 25600 ms after it was recorded that they were reached',
      ])
    })

    it('lets a confirmation come after the mark', () => {
      const recorded = stepped('confirmed')
      confirm(recorded, recorded.receipts[1] as ShapedReceipt, acceptedMs + afterMs + 400)
      send(recorded, boris, acceptedMs + afterMs + 900)
      expect(judged(recorded)).eql([])
    })
  })

  describe('of confirmations', () => {
    const asked = (yes: number) => {
      const recorded = record({ asksToConfirm: true, channels: ['telegram'] })
      recorded.message.answers.set('p0', [{ text: recorded.message.textFor(ann), atMs: acceptedMs }])
      recorded.message.notedOf.add('p0')
      Object.assign(recorded.receipts[0] as object, { confirmed: { channel: 'telegram', at: iso(acceptedMs) } })
      Object.assign(recorded.view, { confirmed: { yes, no: 2 - yes, of: 2 } })
      return recorded
    }

    it('finds one that was noted and is not there, one that nobody gave, and counts that are others', () => {
      expect(judged(asked(1))).eql([])
      expect(judged(asked(2))).match(/^imbalance - -: counts 2 who have confirmed it and 0 who have not, of 2; by its/)
      const lost = asked(1)
      lost.message.notedOf.add('p1')
      expect(judged(lost)).eql(['lost - p1: was told that their confirmation is noted, and the history has none'])
      const invented = asked(1)
      invented.message.answers.clear()
      expect(judged(invented)).eql(['told-falsely - p0: has confirmed it, it says, and never answered'])
    })

    it('of a message that was corrected are of the new text', () => {
      const text = shapedText(0, 'Лаба отменена')
      const newText = () => {
        const recorded = asked(1)
        recorded.message.correction = correctedTo(text)
        const none = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
        const corrected = { telegram: { ...none, edited: 2 } }
        const versions = [{ at: iso(acceptedMs) }, { text, at: iso(acceptedMs + 500), corrected }]
        Object.assign(recorded.view, { versions })
        revise(recorded, 'telegram', text)
        return recorded
      }
      expect(judged(newText())).eql([
        'told-falsely - p0: has confirmed the new text, it says, and has answered the older one alone',
      ])
      const both = newText()
      const older = { text: both.message.textFor(boris), atMs: acceptedMs }
      both.message.answers.set('p0', [{ text, atMs: acceptedMs + 900 }])
      both.message.answers.set('p1', [older])
      both.message.notedOf.add('p1')
      expect(judged(both), 'who was told of the older text is not counted for the new one').eql([])
      both.message.answers.set('p1', [{ text, atMs: acceptedMs + 900 }])
      expect(judged(both)).eql(['lost - p1: was told that their confirmation is noted, and the history has none'])
    })

    it('may be of a correction, where nothing else has come', () => {
      const text = shapedText(0, 'Лаба отменена')
      const asking = (words: string) => `${words}\nПрочитано: ответьте ДА 12`
      const recorded = record({ asksToConfirm: true, channels: ['sms'] })
      recorded.message.correction = correctedTo(text)
      recorded.message.answers.set('p0', [{ text, atMs: acceptedMs + 950 }])
      Object.assign(recorded.receipts[0] as object, { confirmed: { channel: 'sms', at: iso(acceptedMs + 950) } })
      const corrected = { sms: { edited: 0, followedUp: 2, pending: 0, unknown: 0, uncorrected: 0 } }
      const versions = [{ at: iso(acceptedMs) }, { text, at: iso(acceptedMs + 500), corrected }]
      Object.assign(recorded.view, { versions, confirmed: { yes: 1, no: 1, of: 2 } })
      for (const row of recorded.rows) row.text = asking(row.text)
      forget(recorded, 'sms', ann)
      const correction = asking(`Исправление к сообщению от 14:02:\n${text}`)
      for (const each of people) take(recorded, 'sms', each, correction, acceptedMs + 900)
      tell(recorded, 'sms', ann, 'confirmed')
      expect(judged(recorded)).eql([])
      tell(recorded, 'sms', ann, 'sent')
      expect(judged(recorded)).eql(['told-falsely sms p0: told as sent; the provider never accepted it'])
      tell(recorded, 'sms', ann, 'confirmed')
      forget(recorded, 'sms', ann)
      corrected.sms.followedUp = 1
      expect(judged(recorded)).eql(['told-falsely sms p0: told as confirmed; the provider never accepted it'])
    })
  })

  describe('of a correction', () => {
    const correction = shapedText(0, 'Лаба отменена')
    const intro = 'Исправление к сообщению от 14:02:\n'
    /** Edited by Telegram and VK, told once more by SMS. */
    function corrected() {
      const recorded = record()
      recorded.message.correction = correctedTo(correction)
      for (const channel of ['telegram', 'vk'] as const) revise(recorded, channel, correction)
      for (const each of people) take(recorded, 'sms', each, intro + correction, acceptedMs + 900)
      const none = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
      const edited = { ...none, edited: 2 }
      const sms = { ...none, followedUp: 2 }
      Object.assign(recorded.view, {
        versions: [
          { text: recorded.message.textFor(ann), at: iso(acceptedMs) },
          { text: correction, at: iso(acceptedMs + 500), corrected: { telegram: edited, vk: edited, sms } },
        ],
      })
      return { recorded, sms }
    }

    it('is content with whoever has the new text, and with whoever is listed', () => {
      expect(judged(corrected().recorded)).eql([])
      const { recorded, sms } = corrected()
      recorded.rows.pop()
      Object.assign(sms, { followedUp: 1, uncorrected: 1 })
      expect(judged(recorded)).eql([])
    })

    it('finds who has the older text alone and is not listed: the fence of versions left out', () => {
      const { recorded, sms } = corrected()
      recorded.rows.pop()
      Object.assign(sms, { followedUp: 1 })
      expect(judged(recorded)).eql(['told-falsely sms -: 1 have the older text alone, and 0 are listed'])
    })

    it('takes what a system was told anew, in the place of what may have come before, for one message', () => {
      const recorded = record({ channels: ['http'] })
      const [row] = recorded.rows as [(typeof recorded.rows)[number]]
      recorded.message.correction = correctedTo(correction)
      const counts = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
      const versions = [
        { at: iso(acceptedMs) },
        { text: correction, at: iso(acceptedMs + 500), corrected: { http: counts } },
      ]
      Object.assign(recorded.view, { versions })
      for (const each of [...recorded.rows]) {
        take(recorded, 'http', each.person, correction, acceptedMs + 900)
        Object.assign(recorded.rows.at(-1) as object, { providerId: `${each.providerId}-2` })
      }
      expect(judged(recorded)).eql([])
      Object.assign(row, { providerId: 'another' })
      expect(judged(recorded)).eql(['duplicated http p0: the provider accepted it 2 times'])
    })

    it('finds who is shown as having the new text and does not, or was told twice, or late the older one', () => {
      const told = corrected().recorded
      told.rows.pop()
      expect(judged(told)).match(/counts 0 edited and 2 told; 1 have the new text/)
      const twice = corrected().recorded
      take(twice, 'sms', ann, intro + correction)
      expect(judged(twice)).eql(['duplicated sms p0: the provider accepted its correction more than once'])
      const late = corrected().recorded
      Object.assign(late.rows.find(({ channel }) => channel === 'sms') as object, { at: acceptedMs + 40_500 })
      expect(judged(late)).eql(['told-falsely sms p0: was sent the older text 40000 ms after it was corrected'])
    })

    it('knows what each of a personal text reads instead', () => {
      const recorded = record({ isPersonal: true, words: ({ name }) => `${name}, лаба` })
      const textFor = ({ name }: (typeof people)[number]) => shapedText(0, `${name}, лаба отменена`)
      const texts = [shapedText(0, '{{name}}, лаба отменена')]
      recorded.message.correction = { ...correctedTo(''), textFor, texts }
      for (const row of recorded.rows) row.text = textFor(row.person)
      const edited = { edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 }
      const counts = { telegram: edited, vk: edited, sms: edited }
      Object.assign(recorded.view, {
        versions: [{ at: iso(acceptedMs) }, { text: texts[0], at: iso(acceptedMs + 500), corrected: counts }],
      })
      expect(judged(recorded)).eql([])
      for (const row of recorded.rows) if (row.channel === 'vk') row.text = textFor(ann)
      expect(judged(recorded), 'somebody has the new text of another').eql([
        'told-falsely vk p1: arrived as another text: "[s0] Person 0, лаба отменена"',
        'told-falsely vk -: 1 have the older text alone, and 0 are listed',
      ])
    })

    it('finds who was edited, was to be told besides, and is not; and who is counted and has no such message', () => {
      /** @param counts of Telegram and VK */
      const toldBesides = (counts: object) => {
        const { recorded } = corrected()
        recorded.message.correction = { ...correctedTo(correction), tellsAll: true }
        for (const channel of ['telegram', 'vk'] as const) {
          for (const each of people) take(recorded, channel, each, intro + correction, acceptedMs + 1_900)
          Object.assign(recorded.view.versions?.[1]?.corrected?.[channel] as object, counts)
        }
        return recorded
      }
      const all = { alsoTold: 2, toBeTold: 0 }
      expect(judged(toldBesides(all))).eql([])
      const silent = toldBesides(all)
      silent.rows.pop()
      expect(judged(silent)).eql(['told-falsely vk -: counts 2 told by a message of its own; 1 have one'])
      expect(judged(toldBesides({ alsoTold: 1, toBeTold: 1 }))).eql(
        ['telegram', 'vk'].flatMap((channel) => [
          `lost ${channel} -: has settled, and 1 are still to be told of their edit`,
          `lost ${channel} -: 2 were edited, and 1 told besides`,
        ]),
      )
      const twice = toldBesides(all)
      take(twice, 'vk', ann, intro + correction, acceptedMs + 2_900)
      expect(judged(twice)).eql(['duplicated vk p0: the provider accepted its correction more than once'])
      expect(judged(corrected().recorded), 'nobody was to be told').eql([])
    })

    it('finds one that was answered as accepted and is not in the history', () => {
      const recorded = record()
      recorded.message.correction = correctedTo(correction)
      expect(judged(recorded)).eql(['lost - -: its correction was answered as accepted, and the history has none'])
    })
  })

  describe('of a recall', () => {
    function withdrawn(remaining = 2) {
      const recorded = record()
      recorded.message.withdrawal = 'withdrawing'
      for (const channel of ['telegram', 'vk'] as const) revise(recorded, channel)
      const none = { deleted: 0, replaced: 0, pending: 0, remaining: 0 }
      const deleted = { ...none, deleted: 2 }
      Object.assign(recorded.view, {
        recalled: {
          at: iso(acceptedMs + 500),
          channels: { telegram: deleted, vk: deleted, sms: { ...none, remaining } },
        },
      })
      return recorded
    }

    it('finds who still has it and is not counted, and who is counted as deleted and has it', () => {
      expect(judged(withdrawn())).eql([])
      expect(judged(withdrawn(1))).eql(['told-falsely sms -: 2 still have it, and 1 are counted'])
      const kept = withdrawn()
      kept.revisions.shift()
      expect(judged(kept)).eql([
        'told-falsely telegram -: 1 still have it, and 0 are counted',
        'told-falsely telegram -: counts 2 deleted; 1 have lost it',
      ])
    })

    it('finds one that was answered as cancelled, and was sent', () => {
      const recorded = record()
      recorded.message.withdrawal = 'cancelled'
      expect(judged(recorded)).eql([
        'told-falsely - -: was answered as cancelled, so that nobody has it; providers accepted it 6 times',
      ])
    })
  })

  describe('of a pair', () => {
    /** The second, which went along with the first and was due later. */
    function pair() {
      const messages = createShapedMessages(people)
      const entry = { people: [ann], channels: ['telegram'] as const }
      const first = record(entry, messages).message
      const recorded = record({ ...entry, first, notBeforeMs: acceptedMs + 9_000 }, messages)
      recorded.rows.length = 0
      take(recorded, 'telegram', ann, `${first.textFor(ann)}\n\n${recorded.message.textFor(ann)}`)
      tell(recorded, 'telegram', ann, 'sent', { sentWith: first.key })
      return recorded
    }

    it('finds one that says it went along and did not, or went along and does not say so, or went twice', () => {
      expect(judged(pair())).eql([])
      const silent = pair()
      tell(silent, 'telegram', ann, 'sent')
      expect(judged(silent)).eql(['told-falsely telegram p0: went with another, and does not say so'])
      const apart = pair()
      Object.assign(apart.rows[0] as object, { text: apart.message.textFor(ann), at: acceptedMs + 9_100 })
      expect(judged(apart)).match(/went with 07\.chaos\.0, it says; the provider had them apart/)
      const twice = pair()
      take(twice, 'telegram', ann, twice.message.textFor(ann), acceptedMs + 9_100)
      expect(judged(twice)).eql(['duplicated telegram p0: the provider accepted it 2 times'])
    })
  })
})
