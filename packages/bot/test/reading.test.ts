import type { HistoryView } from '@courier-fleet/api-types'
import bigInt from 'big-integer'
import { expect } from 'chai'
import { Api } from 'telegram'
import { codeIn } from '../src/conversation/account.ts'
import { matching } from '../src/conversation/choices.ts'
import { eventOf } from '../src/telegram/events.ts'
import { languageOf, wordsOf } from '../src/texts/index.ts'
import { momentIn, shortened } from '../src/texts/words.ts'

describe('what people write to the bot', () => {
  const codes: readonly [string, string | undefined][] = [
    ['/start 12345678', '12345678'],
    ['/start@fleet_bot 12345678', '12345678'],
    ['КОД 1234 5678', '12345678'],
    ['код: 1234-5678', '12345678'],
    ['code 12345678', '12345678'],
    [' 12345678 ', '12345678'],
    ['/start', undefined],
    ['КОД 1234567', undefined],
    ['КОД 123456789', undefined],
    ['Пары 12345678 не будет', undefined],
  ]
  for (const [text, code] of codes)
    it(`"${text}" ${code === undefined ? 'is no code' : 'is a code'}`, () => expect(codeIn(text)).to.equal(code))

  it('says of what is not accepted yet that it is taken, not that it is sent: it may be for later', () => {
    const issued = { state: 'issued' } as HistoryView
    for (const words of [wordsOf.ru, wordsOf.en]) {
      expect(words.accepting).not.to.match(/отправ|sen[dt]/i)
      expect(words.progress(issued, () => '')).to.equal(words.accepting)
    }
  })

  it('says what to do where the text of a message was taken for a name, and not where there is a text already', () => {
    const search = { query: 'Пары не будет', found: 0, page: 1, pages: 1, chosen: [], hasText: false }
    expect(wordsOf.ru.whom(search)).to.match(
      /ничего нет\.\nЕсли это текст сообщения, нажмите «показать все», .*ещё раз\.$/,
    )
    expect(wordsOf.en.whom(search)).to.match(/\nIf this is the text of the message, press “show all”, .*again\.$/)
    for (const words of [wordsOf.ru, wordsOf.en])
      for (const more of [{ hasText: true }, { found: 1 }, { query: '' }])
        expect(words.whom({ ...search, ...more })).not.to.match(/Если это|If this/)
    expect(wordsOf.ru.buttons.showAll).to.equal('показать все')
    expect(wordsOf.en.buttons.showAll).to.equal('show all')
  })

  it('says who cannot be written to and what to do about them, and nothing where everybody can', () => {
    const outcome = { sentence: 'Of 3 people.', missed: ['Ann: SMS: not delivered'], moreMissed: false }
    const left = { people: 3, getting: 1, nowhere: 2 }
    expect(wordsOf.en.outcome({ ...outcome, left })).to.match(
      /delivered\n\nThere is nowhere to write to 2 people\. Ring them up or tell them yourself: .*\/repeat\.$/,
    )
    expect(wordsOf.ru.outcome({ ...outcome, left })).to.match(/\n\nПисать некуда: 2 человека\. .*\/repeat\.$/)
    expect(wordsOf.en.buttons.again(left.getting, left.people)).to.equal('Send again: 1 of 3')
    for (const words of [wordsOf.ru, wordsOf.en])
      for (const none of [undefined, { ...left, getting: 3, nowhere: 0 }])
        expect(words.outcome({ ...outcome, left: none })).to.match(/delivered$/)
  })

  it('finds groups however they are spaced and written', () => {
    const choices = [
      { token: 'group:ivt-101', name: 'ИВТ-101', label: '' },
      { token: 'group:elka', name: 'Ёлка 2', label: '' },
    ]
    const found = (query: string) => matching(choices, query).map(({ name }) => name)
    expect(found('ивт 101')).to.deep.equal(['ИВТ-101'])
    expect(found('ivt101')).to.deep.equal(['ИВТ-101'])
    expect(found('елка')).to.deep.equal(['Ёлка 2'])
    expect(found('.*')).to.deep.equal(['ИВТ-101', 'Ёлка 2'])
    expect(found('физика')).to.deep.equal([])
  })

  it('cares for private chats only, and for what others write', () => {
    const message = (peerId: Api.TypePeer, more: object = {}) =>
      new Api.UpdateNewMessage({
        message: new Api.Message({ id: 7, peerId, message: 'привет', date: 100, ...more }),
        pts: 1,
        ptsCount: 1,
      })
    const person = new Api.PeerUser({ userId: bigInt(501) })
    expect(eventOf(message(person))).to.deep.equal({ kind: 'text', id: 'm7/100', address: '501', text: 'привет' })
    expect(eventOf(message(person, { out: true }))).to.equal(undefined)
    expect(eventOf(message(new Api.PeerChat({ chatId: bigInt(1) })))).to.equal(undefined)
    const press = (userId: number) =>
      new Api.UpdateBotCallbackQuery({
        queryId: bigInt(5),
        userId: bigInt(userId),
        peer: person,
        msgId: 7,
        chatInstance: bigInt(1),
      })
    expect(eventOf(press(501))).to.include({ kind: 'press', address: '501', data: '' })
    expect(eventOf(press(502)), 'pressed in the chat of another').to.equal(undefined)
  })

  it('answers in Russian or English, on the clock of the person', () => {
    expect([undefined, 'ru', 'ru-RU', 'en', 'de'].map(languageOf)).to.deep.equal(['ru', 'ru', 'ru', 'en', 'en'])
    const at = Date.now() + 86_400_000
    expect(momentIn('ru', 'Europe/Moscow')(at)).not.to.equal(momentIn('ru', 'Asia/Vladivostok')(at))
    expect(wordsOf.ru.limits({ limit: 4, used: 1, left: 3, resetsAt: new Date(at).toISOString() }, String)).to.include(
      '3 сообщения из 4',
    )
  })

  it('shortens at whole characters', () => {
    expect(shortened('👍👍👍', 2)).to.equal('👍…')
    expect(shortened('привет', 6)).to.equal('привет')
  })
})
