import type { Cost, Plan } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { actualWords, forecastWords, moneyWords, recordWords } from '../src/index.ts'

const plain = (text: string | undefined) => text?.replace(/[\u00a0\u202f]/g, ' ')
const prices = [{ prefix: '+79', perPart: 2_000_000, people: 227 }]
const cost: Cost = {
  people: 227,
  prices,
  unpriced: 0,
  currency: 'RUB',
  partsEach: 2,
  parts: 454,
  millionths: 908_000_000,
}
const plan = (of: Cost | undefined, more: Partial<Plan> = {}): Plan => ({
  asOf: '2026-09-01T11:00:00.000Z',
  now: 227,
  later: [],
  never: [],
  forecast: { channels: { sms: { people: 227 } }, ...(of ? { cost: of } : {}) },
  ...more,
})
const both = (of: Plan, form: Parameters<typeof forecastWords>[2] = {}) =>
  (['ru', 'en'] as const).map((language) => plain(forecastWords(language, of, form)))

describe('the words of a forecast', () => {
  it('say how many SMS, and what they cost', () => {
    expect(both(plan(cost))).to.deep.equal(['2 SMS на человека, всего 454, 908 ₽', '2 SMS each, 454 in all, ₽908'])
  })

  it('price the text that is being written', () => {
    expect(both(plan({ people: 227, prices, unpriced: 0, currency: 'RUB' }), { partsEach: 3 })).to.deep.equal([
      '3 SMS на человека, всего 681, 1 362 ₽',
      '3 SMS each, 681 in all, ₽1,362',
    ])
    expect(both(plan({ people: 227, prices, unpriced: 0, currency: 'RUB' }))).to.deep.equal([undefined, undefined])
  })

  it('never take for nothing what has no price', () => {
    expect(both(plan({ ...cost, people: 231, parts: 462, unpriced: 4 }))).to.deep.equal([
      '2 SMS на человека, всего 462, 908 ₽ (без цены: 4 человека)',
      '2 SMS each, 462 in all, ₽908 (without a price: 4 people)',
    ])
    expect(both(plan({ ...cost, prices: [], unpriced: 227, millionths: 0 }))).to.deep.equal([
      '2 SMS на человека, всего 454 (без цены: 227 человек)',
      '2 SMS each, 454 in all (without a price: 227 people)',
    ])
    expect(both(plan({ people: 2, prices: [], unpriced: 2, partsEach: 1, parts: 2 }))).to.deep.equal([
      '1 SMS на человека, всего 2',
      '1 SMS each, 2 in all',
    ])
  })

  it('say of a sample that it is about so many, and of nobody nothing', () => {
    expect(both(plan(cost, { sample: 100 }))[0]).to.equal('2 SMS на человека, всего примерно 454, примерно 908 ₽')
    expect(both(plan(undefined))).to.deep.equal([undefined, undefined])
    expect(both(plan({ people: 0, prices: [], unpriced: 0, partsEach: 1, parts: 0 }))[0]).to.equal(undefined)
    const ofEach = plan({ people: 2, prices: [], unpriced: 2, parts: 3 })
    expect(both(ofEach), 'not the same for all').to.deep.equal(['Всего 3 SMS', '3 SMS in all'])
  })

  describe('of the end', () => {
    const withEnd = (from: string, to: string) => {
      const finish = { from: `2026-09-0${from}.000Z`, to: `2026-09-0${to}.000Z` }
      return plan(cost, { forecast: { channels: { sms: { people: 227, finish } }, cost, finish } })
    }
    const moment = (ms: number, toTheSecond: boolean) => {
      const [day, time] = new Date(ms).toISOString().split('T') as [string, string]
      return `${day}, ${time.slice(0, toTheSecond ? 8 : 5)}`
    }

    it('say it in minutes, and never less than the range; of another day the day', () => {
      expect(both(withEnd('1T11:05:59', '1T11:08:01'), { moment })).to.deep.equal([
        '2 SMS на человека, всего 454, 908 ₽; закончим между 11:05 и 11:09',
        '2 SMS each, 454 in all, ₽908; done between 11:05 and 11:09',
      ])
      expect(both(withEnd('1T23:59:00', '2T00:03:00'), { moment, partsEach: 0 })).to.deep.equal([
        'Закончим между 23:59 и 2026-09-02, 00:03',
        'Done between 23:59 and 2026-09-02, 00:03',
      ])
    })

    it('say another day once, and no seconds of what is far off', () => {
      const at = '2026-09-02T09:00:00.000Z'
      const tomorrow = withEnd('2T09:00:00', '2T09:00:07')
      expect(both(tomorrow, { moment, partsEach: 0, at })).to.deep.equal([
        'Закончим 2026-09-02 между 09:00 и 09:01',
        'Done 2026-09-02, between 09:00 and 09:01',
      ])
      expect(both(withEnd('2T09:00:00', '2T09:08:00'), { moment, partsEach: 0, at })[0]).to.equal(
        'Закончим 2026-09-02 между 09:00 и 09:08',
      )
      expect(both(withEnd('2T23:59:00', '3T00:03:00'), { moment, partsEach: 0, at })[0]).to.equal(
        'Закончим между 2026-09-02, 23:59 и 2026-09-03, 00:03',
      )
      const near = { moment, partsEach: 0, at, now: Date.parse('2026-09-02T08:30:00Z') }
      expect(both(tomorrow, near), 'read on that day, within the hour').to.deep.equal([
        'Закончим между 09:00:00 и 09:00:07',
        'Done between 09:00:00 and 09:00:07',
      ])
      const over = { moment, partsEach: 0, at, now: Date.parse('2026-09-03T12:00:00Z') }
      expect(both(tomorrow, over)[0], 'beside what was').to.equal('Закончим 2026-09-02 между 09:00:00 и 09:00:07')
      expect(both(withEnd('2T09:00:00', '2T09:00:00'), over)[1]).to.equal('Done by 2026-09-02, 09:00:00')
    })

    it('say of the deadline the day where it is another than that of the end', () => {
      const { forecast, ...others } = withEnd('2T09:00:00', '2T09:08:00')
      const by = (deadline: string) => {
        const promised = { channels: {}, ...forecast, deadline: `2026-09-0${deadline}.000Z` }
        return both({ ...others, forecast: promised }, { moment, partsEach: 0 })[0]
      }
      expect(by('2T09:05:00')).to.equal('Закончим 2026-09-02 между 09:00 и 09:08, возможно, позже срока (09:05)')
      expect(by('1T21:00:00')).to.equal('Закончим 2026-09-02 между 09:00 и 09:08, позже срока (2026-09-01, 21:00)')
    })

    it('say a short range to the second', () => {
      expect(both(withEnd('1T11:05:10', '1T11:06:02'), { moment, partsEach: 0 })).to.deep.equal([
        'Закончим между 11:05:10 и 11:06:02',
        'Done between 11:05:10 and 11:06:02',
      ])
      expect(both(withEnd('1T11:05:00', '1T11:05:00'), { moment, partsEach: 0 })[0]).to.equal('Закончим к 11:05:00')
    })

    it('never name an end before it is due, nor before they were worked out, on whatever clock it is read', () => {
      const asOf = Date.parse('2026-09-01T11:00:00.437Z')
      const clocks = [moment, (ms: number) => moment(ms, true), undefined]
      for (const dueInMs of [undefined, 0, 13, 30_000, 59_999, 3_600_000 - 437]) {
        for (const takesMs of [0, 400, 18_000, 119_000, 120_000, 900_000]) {
          const due = asOf + (dueInMs ?? 0)
          // as the service states it, in whole seconds outwards
          const stated = (ms: number) => new Date(ms).toISOString()
          const finish = {
            from: stated(Math.floor(due / 1000) * 1000),
            to: stated(Math.ceil((due + takesMs) / 1000) * 1000),
          }
          const forecast = { channels: { sms: { people: 1, finish } }, finish }
          const of = plan(undefined, { asOf: new Date(asOf).toISOString(), forecast })
          for (const clock of clocks) {
            const form = { ...(clock ? { moment: clock } : {}), at: dueInMs === undefined ? undefined : stated(due) }
            const said = forecastWords('en', of, form)
            const [, from = '', to = from] = /^Done (?:by|between) (.+?)(?: and (.+))?$/.exec(said ?? '') ?? []
            const begins = clock ? clock(due, true).slice('2026-09-01, '.length) : stated(due)
            expect(from >= begins.slice(0, from.length), `${said}, and it is due ${begins}`).to.equal(true)
            expect(to >= from, said).to.equal(true)
            if (clock === undefined) expect(Date.parse(to), said).to.be.at.least(due + takesMs)
          }
        }
      }
      const late = withEnd('1T11:00:00', '1T11:00:03')
      expect(both(late, { at: '2026-09-01T11:00:05.000Z', moment, partsEach: 0 })[1]).to.equal('Done by 11:00:05')
    })

    it('say that it is later than the deadline of its type, or may be, and nothing while it is not', () => {
      const by = (deadline: string) => {
        const { forecast, ...others } = withEnd('1T11:05:00', '1T11:09:00')
        const promised = { channels: {}, ...forecast, deadline: `2026-09-01T${deadline}.000Z` }
        return both({ ...others, forecast: promised }, { moment, partsEach: 0 })
      }
      expect(by('11:09:00')).to.deep.equal(['Закончим между 11:05 и 11:09', 'Done between 11:05 and 11:09'])
      expect(by('11:08:00')).to.deep.equal([
        'Закончим между 11:05 и 11:09, возможно, позже срока (11:08)',
        'Done between 11:05 and 11:09, possibly later than its deadline (11:08)',
      ])
      expect(by('11:04:00')).to.deep.equal([
        'Закончим между 11:05 и 11:09, позже срока (11:04)',
        'Done between 11:05 and 11:09, later than its deadline (11:04)',
      ])
    })

    it('say why it is not known, of a channel on which somebody is sent it', () => {
      const unknown = (why: 'online' | 'paused' | 'no-courier' | 'nothing-known', people = 3) =>
        both(plan(undefined, { forecast: { channels: { mail: { people: 1 }, vk: { people, unknown: why } } } }))
      expect(unknown('paused')).to.deep.equal([
        'Когда закончим, неизвестно: канал «ВКонтакте» приостановлен',
        'We do not know when it will be done: VK is paused',
      ])
      expect(unknown('no-courier')[0]).to.match(/сейчас не работает$/)
      expect(unknown('nothing-known')[1]).to.match(/nothing has been sent by VK recently$/)
      expect(unknown('online')[0]).to.equal('Когда закончим, неизвестно: каждому — когда появится в сети')
      expect(unknown('paused', 0)).to.deep.equal([undefined, undefined])
    })
  })

  it('say beside it what was, and whether that was foretold', () => {
    const finish = { from: '2026-09-01T11:05:00.000Z', to: '2026-09-01T11:09:00.000Z' }
    const report = (finishedAt: string | undefined, isWithin?: boolean, of: Cost = cost) => ({
      forecast: { channels: {}, finish },
      actual: {
        channels: {},
        cost: of,
        ...(finishedAt === undefined ? {} : { finishedAt: `2026-09-01T${finishedAt}.000Z` }),
        ...(isWithin === undefined ? {} : { isWithin }),
      },
    })
    const said = (of: ReturnType<typeof report>) =>
      (['ru', 'en'] as const).map((language) =>
        plain(
          actualWords(language, of, {
            moment: (ms, toTheSecond) => new Date(ms).toISOString().slice(11, toTheSecond ? 19 : 16),
          }),
        ),
      )
    expect(said(report('11:07:00', true))).to.deep.equal([
      '454 SMS, 908 ₽; закончили 11:07, как и предполагали',
      '454 SMS, ₽908; done 11:07, as forecast',
    ])
    expect(said(report('11:09:01', false))[0]).to.match(/; закончили 11:09, позже, чем предполагали$/)
    expect(said(report('11:04:59', false))[1]).to.match(/; done 11:04, sooner than forecast$/)
    expect(said(report('11:07:00', undefined, { ...cost, parts: 0 }))).to.deep.equal(['закончили 11:07', 'done 11:07'])
    expect(said(report('11:07:00', true, { ...cost, unpriced: 2 }))[1]).to.equal(
      '454 SMS, ₽908 (without a price: 2 people); done 11:07, as forecast',
    )
    expect(said(report(undefined))).to.deep.equal([undefined, undefined])
    const short = report('11:05:12', true)
    short.forecast.finish.to = '2026-09-01T11:05:30.000Z'
    expect(said(short)[1], 'as precise as what was foretold').to.match(/; done 11:05:12, as forecast$/)
  })

  it('say how they have held', () => {
    expect(recordWords('ru', { within: 40, of: 41 })).to.equal('Ваши прежние прогнозы: 40 из 41 вовремя')
    expect(recordWords('en', { within: 41, of: 41 })).to.equal('Your forecasts so far: 41 of 41 on time')
  })

  it('say money to the last millionth', () => {
    const money = [908_000_000, 450_000, 1_234_567_890_001].map((millionths) =>
      plain(moneyWords('ru', millionths, 'RUB')),
    )
    expect(money).to.deep.equal(['908 ₽', '0,45 ₽', '1 234 567,890001 ₽'])
  })
})
