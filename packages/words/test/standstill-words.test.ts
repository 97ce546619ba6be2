import { type HistoryView, standstillsOf } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Language, standstillWords } from '../src/index.ts'

const courier = { name: 'courier-vk-1', pid: 1, startedAt: '2026-09-01T11:00:00.000Z', ready: true, silent: false }
const notReady = (since: string) => ({ ...courier, ready: false, notReady: { since, why: 'VK cannot be reached' } })
const silent = (seenAt: string) => ({ ...courier, silent: true, seenAt })
const [one, two] = ['2026-09-01T11:01:00.000Z', '2026-09-01T11:02:00.000Z']
const vk = { channel: 'vk', ready: false, couriers: [] }

function running(pending: Record<string, number>, state = 'running') {
  const channels = Object.fromEntries(Object.entries(pending).map(([leg, count]) => [leg, { pending: count }]))
  return { state, channels } as unknown as HistoryView
}

describe('a message that nobody is sending', () => {
  it('stands still on a channel of which no courier can send, since the last of them could', () => {
    const found = (couriers: (typeof courier)[]) => standstillsOf(running({ vk: 2 }), [{ ...vk, couriers }])[0]
    expect(found([])).to.deep.equal({ channel: 'vk', why: 'no-courier', since: undefined })
    expect(found([notReady(two), silent(one)])).to.deep.equal({ channel: 'vk', why: 'no-courier', since: two })
    expect(found([silent(two), notReady(one)])?.since).to.equal(two)
  })

  it('stands still on a channel that is paused, whether couriers of it run or not', () => {
    const paused = { pausedBy: 'oper', pausedSince: one }
    expect(standstillsOf(running({ 'vk~2': 1 }), [{ ...vk, paused, couriers: [courier] }])).to.deep.equal([
      { channel: 'vk', why: 'paused', since: one },
    ])
  })

  it('goes on where somebody can send, or nobody is left to be told there', () => {
    expect(standstillsOf(running({ vk: 2 }), [{ ...vk, ready: true, couriers: [courier, silent(one)] }])).to.deep.equal(
      [],
    )
    expect(standstillsOf(running({ vk: 0, sms: 2 }), [vk])).to.deep.equal([])
    expect(standstillsOf(running({ vk: 2 }, 'settled'), [vk])).to.deep.equal([])
  })

  it('is said in both languages, since when where that is known, and how it goes on', () => {
    const moment = (ms: number) => `1 Sep, ${new Date(ms).toISOString().slice(11, 16)}`
    const said = (language: Language, why: 'paused' | 'no-courier', since?: string) =>
      standstillWords(language, { channel: 'vk', why, since }, { moment, now: Date.parse(two) })
    expect(said('en', 'no-courier', one)).to.equal(
      'Nobody is sending on VK at the moment (since 11:01): its messages wait, and go on by themselves.',
    )
    expect(said('en', 'no-courier')).to.match(/^Nobody is sending on VK at the moment: /)
    expect(said('en', 'paused', one)).to.equal(
      'An operator has paused VK (since 11:01): its messages wait until it is resumed.',
    )
    expect(said('ru', 'no-courier', one)).to.equal(
      'ВКонтакте: сейчас отправка не идёт (с 11:01). Сообщения ждут и пойдут сами, как только она возобновится.',
    )
    expect(said('ru', 'no-courier')).to.match(/^ВКонтакте: сейчас отправка не идёт\. /)
    expect(said('ru', 'paused', one)).to.equal(
      'ВКонтакте: оператор приостановил отправку (с 11:01). Сообщения ждут, пока её не возобновят.',
    )
  })
})
