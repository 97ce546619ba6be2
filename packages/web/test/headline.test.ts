/** What the heading of a message's page says: never more than is known. */
import type { HistoryView } from '@courier-fleet/api-types'
import { type PeopleClass, peopleClasses } from '@courier-fleet/api-types/people-classes'
import { wordsIn } from '@courier-fleet/words'
import { expect } from 'chai'
import { headlineOf } from '../src/headline.ts'
import { messageWords } from '../src/texts/message.ts'

function history(state: HistoryView['state'], people: Partial<Record<PeopleClass, number>>, more = {}): HistoryView {
  const counts = Object.fromEntries(peopleClasses.map((name) => [name, people[name] ?? 0]))
  const size = Object.values(people).reduce((sum, count) => sum + count, 0)
  return { state, people: counts, audience: { size }, channels: {}, ...more } as unknown as HistoryView
}

const said = (language: 'ru' | 'en', view: HistoryView, leftMs?: number) =>
  headlineOf(view, { known: wordsIn(language), say: messageWords[language].headline, moment: (iso) => iso, leftMs })

describe('the headline of a message', () => {
  it('while it is sent: to how many of all, and how long still where that is known', () => {
    const view = history('running', { delivered: 200, sentToChat: 41, pending: 70, notDelivered: 4 })
    expect(said('ru', view, 8200)).to.equal('Отправляется: 241 из 315, ещё ~9 с')
    expect(said('ru', view)).to.equal('Отправляется: 241 из 315')
    expect(said('en', view, 61_000)).to.equal('Sending: 241 of 315, ~2 min left')
    expect(said('en', { ...view, cancelledAt: '2026-01-01T00:00:00.000Z' })).to.equal('Stopping: sent to 241 of 315')
  })

  it('in the end: who has it, who was sent it, and who was not', () => {
    expect(said('ru', history('settled', { delivered: 5 }))).to.equal('Дошло до всех: 5 человек')
    expect(said('ru', history('settled', { delivered: 4, withoutContact: 1 }))).to.equal(
      'Дошло до всех, у кого есть контакт: 4 из 5',
    )
    const some = history('settled', { delivered: 198, handedOver: 114, notDelivered: 2, withoutContact: 1 })
    expect(said('ru', some)).to.equal('Отправлено 312 из 315, доставлено — 198; не дошло — 2; без контакта — 1')
    expect(said('en', history('settled', { sentToChat: 3 }))).to.equal('Sent to 3 of 3')
    expect(said('ru', history('settled', { notDelivered: 3 }))).to.equal('Ни до кого не дошло: 3 человека')
    expect(said('ru', history('settled', { withoutContact: 3 }))).to.equal('Отправлять некуда: ни у кого нет контакта')
  })

  it('where nobody is known to have it: who was told by voice, and never less than is known', () => {
    const told = history('settled', { toldByVoice: 5 })
    expect(said('ru', told)).to.equal('Ни до кого не дошло: 5 человек; сказано голосом — 5')
    expect(said('en', told)).to.equal('Nobody got it: 5 people; 5 told by voice')
    // of most of them it is known
    const doubtful = history('settled', { unknown: 2, notDelivered: 28 })
    expect(said('en', doubtful)).to.match(/^It is not known that anybody got it: 30 people; 2 /)
    expect(said('ru', doubtful)).to.match(/^Ни о ком не известно, что дошло: 30 человек; /)
  })

  it('of one that was withdrawn: so it says first, and who had it', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const view = history('settled', { sentToChat: 2 }, { cancelledAt: at, recalled: { at, channels: {} } })
    expect(said('ru', view)).to.match(/^Отозвано\. /)
    expect(said('en', view)).to.equal('Withdrawn. Sent to 2 of 2')
  })

  it('of who is only handed over it never says that they got it', () => {
    for (const language of ['ru', 'en'] as const) {
      const text = said(language, history('settled', { handedOver: 3, sentToChat: 2 }))
      expect(text).not.to.match(/дошло|получ|доставл|got|deliver/i)
    }
  })
})
