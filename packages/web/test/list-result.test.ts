/** What the list of messages says of one that is over: never more than is known. */
import type { HistoryView } from '@courier-fleet/api-types'
import { type PeopleClass, peopleClasses } from '@courier-fleet/api-types/people-classes'
import { expect } from 'chai'
import { markOf, resultOf } from '../src/list-result.ts'
import { messagesTexts } from '../src/texts/messages-page.ts'

function settled(people: Partial<Record<PeopleClass, number>>, more = {}): HistoryView {
  const counts = Object.fromEntries(peopleClasses.map((name) => [name, people[name] ?? 0]))
  return { state: 'settled', people: counts, channels: {}, ...more } as unknown as HistoryView
}
const said = (history: HistoryView) => [
  markOf(history),
  resultOf(history, messagesTexts.ru),
  resultOf(history, messagesTexts.en),
]

describe('the list of messages', () => {
  it('says that a message has not reached everyone only where that is certain of somebody', () => {
    for (const other of ['notDelivered', 'withoutContact', 'toldByVoice'] as const) {
      const not = ['some', 'Не до всех', 'Not to everyone']
      expect(said(settled({ delivered: 98, [other]: 1 })), other).to.deep.equal(not)
      expect(said(settled({ delivered: 98, unknown: 1, [other]: 1 })), other).to.deep.equal(not)
    }
  })

  it('says of one that all others are known to have that it is not known of everyone', () => {
    for (const has of ['delivered', 'sentToChat', 'handedOver'] as const)
      expect(said(settled({ [has]: 99, unknown: 1 })), has).to.deep.equal([
        'some',
        'Известно не обо всех',
        'Not known of everyone',
      ])
  })

  it('says the rest as it is', () => {
    expect(said(settled({ delivered: 2 }))).to.deep.equal(['everyone', 'Дошло до всех', 'Everyone has it'])
    expect(said(settled({ unknown: 2 }))).to.deep.equal(['unknown', 'Неизвестно', 'Not known'])
    const stopped = settled({ delivered: 1, unknown: 1 }, { cancelledAt: '2026-01-01T00:00:00.000Z' })
    expect(said(stopped).slice(1)).to.deep.equal(['Остановлено', 'Stopped'])
  })
})
