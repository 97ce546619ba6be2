import {
  type HistoryView,
  isCode,
  type PeopleClass,
  type Plan,
  peopleClasses,
  smsPartsOf,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { momentOf } from '../../src/moment.ts'
import { readCommand } from '../../src/read-command.ts'
import { onePart } from '../../src/sms/one-part.ts'
import { plannedFor, wordingFor, wordingLike } from '../../src/sms/wording.ts'

const isOnePart = (text: string) => text !== '' && smsPartsOf(text).parts.length === 1
/** @returns what is known of so many people, of whom so many have it */
const report = (size: number, delivered: number, notDelivered: number): HistoryView => {
  const none = Object.fromEntries(peopleClasses.map((name) => [name, 0])) as Record<PeopleClass, number>
  const people = {
    ...none,
    delivered,
    notDelivered,
    withoutContact: size - delivered - notDelivered,
    why: {},
    whyUnknown: {},
  }
  const history = { state: 'settled', audience: { size, sha256: '' }, expected: ['sms'], channels: {}, people }
  return history as unknown as HistoryView
}

/** At 23:30 in Moscow. */
const plan = (now: number, later: number): Plan => ({
  asOf: '2026-09-01T20:30:00.000Z',
  now,
  later: later === 0 ? [] : [{ at: '2026-09-02T05:00:00.000Z', people: later, cause: 'quiet' }],
  never: [{ people: 3, why: 'no-contact' }],
})

const asks = [
  { ask: 'unclear' },
  { ask: 'no-time' },
  { ask: 'past', meant: Date.UTC(2026, 8, 1) },
  { ask: 'too-far', meant: Date.UTC(2029, 8, 1) },
  { ask: 'which', either: Date.UTC(2026, 8, 1), or: Date.UTC(2026, 11, 31) },
  { ask: 'no-such-time' },
] as const

describe('what the fleet says by SMS', () => {
  for (const language of ['ru', 'en']) {
    const wording = wordingFor(language)
    it(`is one part where a name is of characters that count twice (${language})`, () => {
      for (let letters = 1; letters <= 40; letters += 1) {
        const text = wording.cancelsNothing('\u{1D160}'.repeat(letters))
        expect(text, 'half a character').not.to.match(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
        expect(isOnePart(text), text).to.equal(true)
      }
    })

    it(`is always one part (${language})`, () => {
      const word = fc.string({ unit: 'grapheme', maxLength: 40 })
      const candidate = fc.record({
        kind: fc.constantFrom('group' as const, 'cohort' as const, 'topic' as const, 'type' as const),
        id: word,
        name: word,
      })
      const count = fc.nat(100_000_000)
      const moment = '2026-09-01T21:00:00.000Z'
      fc.assert(
        fc.property(word, fc.array(candidate, { maxLength: 4 }), count, count, (name, candidates, a, b) => {
          const texts = [
            ...Object.values(wording).flatMap((each) => (typeof each === 'string' ? [each] : [])),
            ...Object.values(wording.unclear),
            wording.linked(name),
            wording.limits({ limit: a, used: b, left: b, resetsAt: moment }, 'Asia/Novosibirsk'),
            wording.limits({ limit: null, used: null, left: null, resetsAt: null }, 'UTC'),
            wording.overLimit(a, moment, 'no/zone'),
            wording.overLimit(undefined, undefined, 'UTC'),
            wording.unknown(name, candidates),
            wording.ambiguous(name, candidates),
            wording.noTopic(name, candidates),
            wording.whichTopic(name, candidates),
            wording.mayJoin(candidates),
            wording.mayLeave(candidates),
            ...candidates.flatMap((topic) => [wording.joined(topic), wording.left(topic), wording.closed(topic)]),
            wording.noType(name, candidates, candidates),
            wording.noType(name, [], candidates),
            wording.noType(name, [], []),
            wording.whichType(name, candidates),
            ...candidates.flatMap((type) => [
              wording.typeOff(type, candidates),
              wording.typeOff(type, []),
              wording.typeOn(type),
            ]),
            ...candidates.map((type) => wording.mandatoryType(type)),
            ...(['never', 'fleet', { from: '23:30', to: '07:15' }] as const).map((hours) => wording.quiet(hours)),
            wording.accepted({ names: name, people: a, left: b }),
            wording.accepted({ names: name, people: a, left: null }),
            wording.accepted({ names: name, people: a, left: b, at: momentOf(moment, 'Asia/Novosibirsk') }),
            wording.accepted({ names: name, people: a, left: b, planned: plannedFor(language, plan(a, b), 'UTC') }),
            ...asks.map((when) => wording.askWhen(when, 'Asia/Novosibirsk')),
            wording.cancelsNothing(name),
            wording.cancelled('cancelled', name),
            wording.cancelled('stopping', name),
            ...[undefined, name].flatMap((next) => [wording.alreadyCancelled(next), wording.alreadyOver(name, next)]),
            wording.sameAgain(moment, 'no/zone'),
            wording.confirmed(moment, name, 'Asia/Novosibirsk'),
            wording.confirmed(moment, name.repeat(9), 'no/zone'),
            wording.noSuchNumber(String(a)),
            wording.outcome(report(a + b, a, b), undefined),
            wording.outcome(report(a + b + 1, a, b), name),
            wording.correction(report(a + b + 1, a, b), name),
          ]
          for (const text of texts) expect(isOnePart(text), text).to.equal(true)
        }),
      )
    })
  }

  it('tells when those get it whom a rule holds, and how the same is sent again', () => {
    const said = (language: string, now: number, left: number | null) =>
      wordingFor(language).accepted({
        names: language === 'ru' ? 'Е' : 'E',
        people: 363,
        left,
        planned: plannedFor(language, plan(now, 48), 'Europe/Moscow'),
      })
    expect(said('ru', 312, null)).to.equal('Е: принято, 363 чел.: 312 сейчас, 48 в 08:00, 3 никогда')
    expect(said('ru', 312, 3)).to.equal('Е: принято, 363 чел.: 312 сейчас, 48 в 08:00, 3 никогда')
    expect(said('en', 312, 3)).to.equal('E: accepted for 363 people: 312 now, 48 at 08:00, 3 never. Left today: 3')
    expect(said('ru', 0, null)).to.equal('Е: принято, 363 чел.: 48 в 08:00, 3 никогда')
    const spread = {
      ...plan(312, 48),
      later: plan(312, 48).later.map((row) => ({ ...row, until: '2026-09-02T05:02:00.000Z' })),
    }
    for (const [language, text] of [
      ['ru', 'Х: принято, 363 чел.: 312 сейчас, 48 в 08:00-08:02, 3 никогда'],
      ['en', 'X: accepted for 363 people: 312 now, 48 at 08:00-08:02, 3 never'],
    ] as const) {
      const answer = wordingFor(language).accepted({
        names: language === 'ru' ? 'Х' : 'X',
        people: 363,
        left: null,
        planned: plannedFor(language, spread, 'Europe/Moscow'),
      })
      expect(answer.slice(0, text.length)).to.equal(text)
      expect(isOnePart(answer)).to.equal(true)
    }
    expect(wordingFor('ru').sameAgain('2026-09-01T11:02:00Z', 'Europe/Moscow')).to.equal(
      'Не отправлено: то же вы писали им 01.09, 14:02. Ещё: ПОВТОР и текст',
    )
    expect(readCommand('повтор ИВТ-101: x')).to.deep.equal({
      kind: 'message',
      to: ['ИВТ-101'],
      text: 'x',
      isMeant: true,
    })
  })

  it('says where the groups of a sender stand where none is like what they wrote', () => {
    const written = 'Физики'.repeat(10)
    const ru = wordingFor('ru').unknown(written, [])
    expect(ru).to.match(/^Не отправлено: у вас нет «Физики.*…»\. Ваши группы на сайте\.$/)
    const en = wordingFor('en').unknown(written, [])
    expect(en).to.match(/^Not sent: you have no "Физики.*\.\.\."\. Yours are on the site\.$/)
    for (const text of [ru, en]) expect(isOnePart(text), text).to.equal(true)
  })

  it('asks for a code of as many digits as there are', () => {
    expect(wordingFor('ru').unclear.code).to.match(/^В коде 8 или 12 цифр/)
    expect(wordingFor('en').unclear.code).to.match(/^A code has 8 or 12 digits/)
    const lengths = Array.from({ length: 20 }, (_unused, index) => index + 1)
    expect(lengths.filter((length) => isCode('1'.repeat(length)))).to.deep.equal([8, 12])
  })

  it('is in the language of the person, or of the letters a stranger writes', () => {
    expect(wordingFor('ru-RU')).to.equal(wordingFor('ru'))
    expect(wordingFor('uk')).to.equal(wordingFor('en'))
    expect(wordingLike('Kто это?')).to.equal(wordingFor('ru'))
    expect(wordingLike('who?')).to.equal(wordingFor('en'))
  })

  it('counts who was reached and who was not', () => {
    expect(wordingFor('ru').outcome(report(28, 25, 2), 'ИВТ-102')).to.equal(
      'ИВТ-102. Из 28: доставлено 25, не дошло 2, без контакта 1',
    )
    const long = 'Совместный семинар кафедр физики и химии'
    expect(wordingFor('ru').outcome(report(28, 25, 2), long)).to.equal(
      'Из 28: доставлено 25, не дошло 2, без контакта 1',
    )
    expect(wordingFor('ru').overLimit(4, '2026-09-01T21:00:00.000Z', 'Europe/Moscow')).to.match(
      /4 в день.*02\.09, 00:00$/,
    )
  })

  it('is cut where nothing else fits', () => {
    expect(onePart('ж'.repeat(80))).to.equal('ж'.repeat(70))
    expect(onePart('a'.repeat(161), 'short')).to.equal('short')
  })
})
