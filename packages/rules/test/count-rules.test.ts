import { fleetSettings, type MessageRules } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { countPolicyOf } from '../src/count-rules.ts'
import { type Counted, decisionOn, judgeCounts, needsDay, reachOf } from '../src/judge-counts.ts'

const dayMs = 86_400_000
const hour = 3_600_000
const name = { ru: 'Н', en: 'N' }

const settingsWith = (changes: Record<string, unknown>) => fleetSettings.parse(changes)
const news = (changes: Record<string, unknown>) =>
  settingsWith({ types: [{ id: 'news', number: 7, name, ...changes }] })
const policy = (
  settings: ReturnType<typeof settingsWith>,
  said: MessageRules | undefined = { type: 'news' },
  cls: 'urgent' | 'normal' = 'normal',
) => countPolicyOf(cls, said, settings, 3)
const reasons = (found: ReturnType<typeof policy>) => found?.rules.map(({ reason }) => reason)

describe('which rules count for a message', () => {
  it('none where nobody made any: it is not counted at all', () => {
    expect(policy(settingsWith({}))).to.equal(undefined)
    expect(policy(settingsWith({}), {})).to.equal(undefined)
    expect(policy(news({ optOut: 'mandatory', quiet: 'ignore', level: 5 }))).to.equal(undefined)
    // those of another type
    expect(policy(news({ caps: [{ n: 1, per: 'day' }] }), { type: 'library' })).to.equal(undefined)
  })

  it("never for the fleet's own words", () => {
    expect(policy(settingsWith({ caps: [{ n: 1, per: 'day' }] }), { type: 'service' })).to.equal(undefined)
  })

  it('those of its type, and those of all types, in their order', () => {
    const settings = settingsWith({
      types: [
        {
          id: 'news',
          number: 7,
          name,
          level: 2,
          duplicates: {},
          interval: 'PT30M',
          caps: [{ n: 2, per: 'day', over: 'wait' }],
        },
      ],
      caps: [{ n: 9, per: 'P7D' }],
      interval: 'PT1M',
      levels: [
        { after: 5, least: 2 },
        { after: 10, least: 3 },
      ],
    })
    expect(policy(settings)).to.deep.equal({
      number: 7,
      version: 3,
      keptMs: 7 * dayMs,
      rules: [
        { reason: 'duplicate', rank: 1, of: 'text', n: 1, window: dayMs, over: 'drop' },
        { reason: 'too-soon', rank: 2, of: 7, n: 1, window: hour / 2, over: 'wait' },
        { reason: 'capped', rank: 2, of: 7, n: 2, window: 'day', over: 'wait' },
        { reason: 'too-soon', rank: 2, of: 'any', n: 1, window: 60_000, over: 'wait' },
        { reason: 'capped', rank: 2, of: 'any', n: 9, window: 7 * dayMs, over: 'drop' },
        { reason: 'not-important', rank: 3, of: 'any', n: 10, window: 'day', over: 'drop' },
      ],
    })
  })

  it('urgent and mandatory messages are never too many, and are counted; of the level only what is mandatory is free', () => {
    const settings = (optOut: string) =>
      settingsWith({
        types: [{ id: 'news', number: 7, name, optOut, duplicates: {}, caps: [{ n: 1, per: 'day' }] }],
        caps: [{ n: 1, per: 'day' }],
        levels: [{ after: 1, least: 5 }],
      })
    expect(reasons(policy(settings('allowed'), {}, 'urgent'))).to.deep.equal(['not-important'])
    expect(reasons(policy(settings('allowed'), { type: 'news' }, 'urgent'))).to.deep.equal([
      'duplicate',
      'not-important',
    ])
    expect(reasons(policy(settings('mandatory')))).to.deep.equal(['duplicate'])
    expect(reasons(policy(settings('mandatory'), { type: 'news', duplicates: 'allow' }))).to.deep.equal([])
  })

  it('a message that is less important than its type is judged as such', () => {
    const settings = settingsWith({ levels: [{ after: 5, least: 3 }] })
    expect(reasons(policy(settings))).to.deep.equal([])
    expect(reasons(policy(settings, { level: 2 }))).to.deep.equal(['not-important'])
  })

  it('say how far back a diary is read, and whether a day is needed', () => {
    const daily = policy(news({ caps: [{ n: 1, per: 'day' }] }))?.rules ?? []
    const rolling = policy(news({ caps: [{ n: 1, per: 'PT1H' }] }))?.rules ?? []
    expect([reachOf(daily), needsDay(daily)]).to.deep.equal([25 * hour, true])
    expect([reachOf(rolling), needsDay(rolling)]).to.deep.equal([hour, false])
  })
})

describe('who has had so many in a day', () => {
  const settings = settingsWith({
    types: [1, 2, 3, 4, 5].map((level) => ({ id: `level-${level}`, number: level + 1, name, level })),
    levels: [
      { after: 5, least: 4 },
      { after: 10, least: 5 },
    ],
  })
  const day = { fromMs: dayMs, toMs: 2 * dayMs }
  const diary = (had: number): Counted[] =>
    Array.from({ length: had }, (_unused, i) => ({
      atMs: day.fromMs + had - i,
      type: 2 + (i % 5),
      textHash: '',
      message: `message-${i}`,
      weight: 1,
    }))
  for (let had = 0; had <= 12; had += 1) {
    const least = had >= 10 ? 5 : had >= 5 ? 4 : 1
    it(`${had}: gets what has level ${least} at least`, () => {
      for (const level of [1, 2, 3, 4, 5]) {
        const { rules } = policy(settings, { type: `level-${level}` }) ?? { rules: [] }
        const mine = { message: 'new', textHash: '' }
        const found = judgeCounts(mine, diary(had), rules, day.fromMs + hour, day)
        expect(found?.rule.reason, `level ${level}`).to.equal(level < least ? 'not-important' : undefined)
        // yesterday's are none of today's
        expect(judgeCounts(mine, diary(had), rules, day.toMs, { fromMs: day.toMs, toMs: 3 * dayMs })).to.equal(
          undefined,
        )
      }
    })
  }
})

describe('what becomes of somebody who has had enough', () => {
  const rule = { reason: 'capped', rank: 2, of: 'any', n: 1, window: hour, over: 'wait' } as const
  it('waits for room where the rule says so and the message lives to see it, else is told at once', () => {
    const suppressed = { kind: 'settle', state: 'suppressed', reason: 'capped' }
    const held = { kind: 'hold', untilMs: 10, cause: 'capped' }
    expect(decisionOn({ rule, untilMs: 10 })).to.deep.equal(held)
    expect(decisionOn({ rule, untilMs: 10 }, 11)).to.deep.equal(held)
    expect(decisionOn({ rule, untilMs: 10 }, 10)).to.deep.equal(suppressed)
    expect(decisionOn({ rule: { ...rule, over: 'drop' }, untilMs: 10 })).to.deep.equal(suppressed)
  })
})
