import { type Plan, plan as planShape, smsPartsOf, waveCauses, whyNotDelivered } from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { languages, plannedIn, planWords } from '../src/index.ts'

const asOf = '2026-09-01T19:00:00.000Z'
const morning = '2026-09-02T05:00:00.000Z'
const quiet = (people: number, at = morning) => ({ at, people, cause: 'quiet' as const })
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16)

describe('who gets a message when, in words', () => {
  const cases: [what: string, plan: Plan, en: string, ru: string, short: [en: string, ru: string]][] = [
    [
      'some now, some in the morning, some never',
      {
        asOf,
        now: 312,
        later: [quiet(48)],
        never: [
          { people: 2, why: 'type-off' },
          { people: 1, why: 'no-contact' },
        ],
      },
      'Of 363 people: 312 now; 48 from 05:00 (quiet hours of the recipients); 3 never (2 switched off messages of this type, 1 without a contact).',
      'Из 363 человек: сейчас — 312; 05:00 — 48 (тихие часы получателей); никогда — 3 (такие сообщения отключены получателем — 2, без контакта — 1).',
      ['312 now, 48 at 05:00, 3 never', '312 сейчас, 48 в 05:00, 3 никогда'],
    ],
    [
      'everybody in the morning, whatever was chosen',
      { asOf, now: 0, later: [quiet(1)], never: [] },
      'It goes out to 1 person from 05:00 on: quiet hours of the recipients.',
      'Отправим 05:00, 1 человек: тихие часы получателей.',
      ['1 at 05:00', '1 в 05:00'],
    ],
    [
      'over a while after the quiet hours, not all at once',
      { asOf, now: 1, later: [{ ...quiet(48), until: '2026-09-02T05:02:00.000Z' }], never: [] },
      'Of 49 people: 1 now; 48 from 05:00 to 05:02 (quiet hours of the recipients).',
      'Из 49 человек: сейчас — 1; с 05:00 до 05:02 — 48 (тихие часы получателей).',
      ['1 now, 48 at 05:00-05:02', '1 сейчас, 48 в 05:00-05:02'],
    ],
    [
      'everybody over a while',
      { asOf, now: 0, later: [{ ...quiet(2), until: '2026-09-02T05:02:00.000Z' }], never: [] },
      'It goes out to 2 people from 05:00 to 05:02: quiet hours of the recipients.',
      'Отправим с 05:00 до 05:02, 2 человека: тихие часы получателей.',
      ['2 at 05:00-05:02', '2 в 05:00-05:02'],
    ],
    [
      'it would run out of time',
      { asOf, now: 5, later: [], never: [{ people: 4, why: 'quiet' }] },
      'Of 9 people: 5 now; 4 never (4 it expires in their quiet hours).',
      'Из 9 человек: сейчас — 5; никогда — 4 (срок выйдет в их тихие часы — 4).',
      ['5 now, 4 never', '5 сейчас, 4 никогда'],
    ],
    [
      'an exam',
      { asOf, now: 5, later: [{ ...quiet(3), cause: 'exam' }], never: [{ people: 1, why: 'exam' }] },
      'Of 9 people: 5 now; 3 from 05:00 (an exam of the recipients); 1 never (1 it expires during their exam).',
      'Из 9 человек: сейчас — 5; 05:00 — 3 (экзамен у получателей); никогда — 1 (срок выйдет во время их экзамена — 1).',
      ['5 now, 3 at 05:00, 1 never', '5 сейчас, 3 в 05:00, 1 никогда'],
    ],
    [
      'who is to be online first: at once, or from their morning on',
      {
        asOf,
        now: 1,
        later: [
          { at: asOf, people: 5, cause: 'online' },
          { ...quiet(3), cause: 'online' },
        ],
        never: [],
      },
      'Of 9 people: 1 now; 5 when they are online; 3 from 05:00, when they are online.',
      'Из 9 человек: сейчас — 1; когда появятся в сети — 5; 05:00 или позже, когда появятся в сети — 3.',
      ['1 now, 5 when online, 3 when online', '1 сейчас, 5 когда будут в сети, 3 когда будут в сети'],
    ],
    [
      'everybody is to be online first',
      { asOf, now: 0, later: [{ at: asOf, people: 9, cause: 'online' }], never: [] },
      'It goes out to 9 people, to each when they are online.',
      'Отправим, 9 человек: каждому, когда появится в сети.',
      ['9 when online', '9 когда будут в сети'],
    ],
    [
      'an estimate is said to be one',
      { asOf, now: 200_000, later: [quiet(50_000)], never: [], sample: 20_000 },
      'Of 250,000 people, as estimated: 200,000 now; 50,000 from 05:00 (quiet hours of the recipients).',
      'Из 250 000 человек, примерно: сейчас — 200 000; 05:00 — 50 000 (тихие часы получателей).',
      ['200000 now, 50000 at 05:00', '200000 сейчас, 50000 в 05:00'],
    ],
  ]
  for (const [what, plan, en, ru, [shortEn, shortRu]] of cases) {
    it(what, () => {
      const form = { moment: clock, clock }
      expect(planWords('en', plan, form)).to.include({ sentence: en, short: shortEn })
      expect(planWords('ru', plan, form)?.sentence.replaceAll('\u00a0', ' ')).to.equal(ru)
      expect(planWords('ru', plan, form)?.short).to.equal(shortRu)
    })
  }

  it('says nothing where everyone is sent it as soon as it is due, and of a later one not "now"', () => {
    expect(planWords('en', { asOf, now: 7, later: [], never: [] })).to.equal(undefined)
    const later = { asOf, now: 7, later: [quiet(1)], never: [] }
    expect(planWords('en', later, { clock, isForLater: true })?.short).to.equal('7 on time, 1 at 05:00')
    expect(planWords('ru', later, { isForLater: true })?.sentence).to.match(/^Из 8 человек: в срок — 7; /)
  })

  it('says the day of a while once, where it begins and ends on the same', () => {
    const moment = (ms: number) => `${new Date(ms).getUTCDate()} Sep, ${clock(ms)}`
    const said = (at: string, until: string) =>
      planWords('en', { asOf, now: 1, later: [{ ...quiet(1, at), until }], never: [] }, { moment, clock: moment })
    expect(said(morning, '2026-09-02T05:02:00.000Z')).to.deep.include({
      sentence: 'Of 2 people: 1 now; 1 from 2 Sep, 05:00 to 05:02 (quiet hours of the recipients).',
      short: '1 now, 1 at 2 Sep, 05:00-05:02',
    })
    expect(said('2026-09-02T23:59:00.000Z', '2026-09-03T00:01:00.000Z')?.sentence).to.match(
      /from 2 Sep, 23:59 to 3 Sep, 00:01 /,
    )
  })

  const people = fc.integer({ min: 1, max: 99_999 })
  const afterAsOf = (minutes: number) => new Date(Date.parse(asOf) + minutes * 60_000).toISOString()
  const plans: fc.Arbitrary<Plan> = fc.record({
    asOf: fc.constant(asOf),
    now: fc.nat(99_999),
    later: fc.array(
      fc
        .record({
          from: fc.nat(2000),
          minutes: fc.nat(60),
          people,
          cause: fc.constantFrom(...waveCauses),
        })
        .map(({ from, minutes, ...row }) => ({
          at: afterAsOf(from),
          ...(minutes > 0 ? { until: afterAsOf(from + minutes) } : {}),
          ...row,
        })),
      { maxLength: 5 },
    ),
    never: fc.array(fc.record({ people, why: fc.constantFrom(...whyNotDelivered, 'no-contact' as const) }), {
      maxLength: 3,
    }),
  })

  it('counts everyone once, in both languages, and its shortest form is a part of one SMS', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom(...languages), (plan, language) => {
        expect(planShape.parse(plan)).to.deep.equal(plan)
        const words = planWords(language, plan, { clock: () => '', moment: () => 'then' })
        if (!words) return
        const bare = words.sentence.replace(/\([^()]*\)/g, '').replace(/(?<=\d)[,\u00a0](?=\d{3})/g, '')
        const [first = 0, ...others] = (bare.match(/\d+/g) ?? []).map(Number)
        expect(first, words.sentence).to.equal(plannedIn(plan))
        if (others.length > 0) expect(others.reduce((sum, each) => sum + each, 0)).to.equal(first)
        const counts = (words.shortest.match(/\d+/g) ?? []).map(Number)
        expect(
          counts.reduce((sum, each) => sum + each, 0),
          words.shortest,
        ).to.equal(first)
        expect(smsPartsOf(words.shortest).parts, words.shortest).to.have.length(1)
      }),
    )
  })
})
