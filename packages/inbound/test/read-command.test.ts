import { cpuMs } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Command, readCommand } from '../src/read-command.ts'

const rows: readonly (readonly [string, Command])[] = [
  ['СТОП', { kind: 'stop' }],
  ['стоп!', { kind: 'stop' }],
  [' S t o p. ', { kind: 'stop' }],
  ['/stop', { kind: 'stop' }],
  ['«Стоп»', { kind: 'stop' }],
  ['CTOП', { kind: 'stop' }],
  ['START', { kind: 'start' }],
  ['старт', { kind: 'start' }],
  ['Начать', { kind: 'start' }],
  ['Лимит?', { kind: 'limit' }],
  ['help', { kind: 'help' }],
  ['ПОМОЩЬ', { kind: 'help' }],
  ['Итог?', { kind: 'status' }],
  ['status', { kind: 'status' }],
  ['Да', { kind: 'confirm' }],
  ['ДА 47.', { kind: 'confirm', number: '47' }],
  ['da47', { kind: 'confirm', number: '47' }],
  ['Yes, 7', { kind: 'confirm', number: '7' }],
  ['Да, приду', { kind: 'unclear', lacks: 'colon' }],
  ['ОТМЕНА', { kind: 'cancel', name: '' }],
  ['Cancel!', { kind: 'cancel', name: '' }],
  ['отмена ИВТ-101', { kind: 'cancel', name: 'ИВТ-101' }],
  ['Отмена: пары не будет', { kind: 'message', to: ['Отмена'], text: 'пары не будет' }],
  ['Отмена пары, ИВТ-101: приходите', { kind: 'message', to: ['Отмена пары', 'ИВТ-101'], text: 'приходите' }],
  ['Итоги сессии', { kind: 'unclear', lacks: 'colon' }],
  ['КОД 12345678', { kind: 'code', code: '12345678' }],
  ['код: 1234-5678', { kind: 'code', code: '12345678' }],
  ['Code12345678', { kind: 'code', code: '12345678' }],
  ['KOД 1234 5678.', { kind: 'code', code: '12345678' }],
  ['КОД 123456', { kind: 'unclear', lacks: 'code' }],
  ['КОД', { kind: 'unclear', lacks: 'code' }],
  ['ИВТ-101: Пары не будет', { kind: 'message', to: ['ИВТ-101'], text: 'Пары не будет' }],
  ['ИВТ-101, поток 3: Пары в 9:30', { kind: 'message', to: ['ИВТ-101', 'поток 3'], text: 'Пары в 9:30' }],
  [
    'ИВТ-101 завтра 8:00: Пары не будет',
    {
      kind: 'message',
      to: ['ИВТ-101 завтра 8'],
      text: '00: Пары не будет',
      timed: { to: ['ИВТ-101 завтра 8:00'], text: 'Пары не будет' },
    },
  ],
  [
    'ИВТ-101, поток 3 в 18:30 : да: нет',
    {
      kind: 'message',
      to: ['ИВТ-101', 'поток 3 в 18'],
      text: '30 : да: нет',
      timed: { to: ['ИВТ-101', 'поток 3 в 18:30'], text: 'да: нет' },
    },
  ],
  ['ИВТ-101 завтра 8:00 пары', { kind: 'message', to: ['ИВТ-101 завтра 8'], text: '00 пары', timed: 'no-text' }],
  ['ИВТ-101 завтра 8:00:', { kind: 'message', to: ['ИВТ-101 завтра 8'], text: '00:', timed: 'no-text' }],
  ['ИВТ-101:30 мест: пишите', { kind: 'message', to: ['ИВТ-101'], text: '30 мест: пишите' }],
  ['поток 3: 10 мест: пишите', { kind: 'message', to: ['поток 3'], text: '10 мест: пишите' }],
  ['ИВТ-101 завтра в 8: пары', { kind: 'message', to: ['ИВТ-101 завтра в 8'], text: 'пары' }],
  ['a;b\nc ,, : x', { kind: 'message', to: ['a', 'b', 'c'], text: 'x' }],
  ['group:ivt-101, Cohort:it: да', { kind: 'message', to: ['group:ivt-101', 'Cohort:it'], text: 'да' }],
  ['ИВТ-101：полная ширина', { kind: 'message', to: ['ИВТ-101'], text: 'полная ширина' }],
  ['КОД-101: приходите', { kind: 'message', to: ['КОД-101'], text: 'приходите' }],
  ['стоп: пары', { kind: 'message', to: ['стоп'], text: 'пары' }],
  ['ПОДПИСКА хор', { kind: 'topic', joins: true, name: 'хор' }],
  ['подписка  Бесплатные билеты ', { kind: 'topic', joins: true, name: 'Бесплатные билеты' }],
  ['Подписаться choir', { kind: 'topic', joins: true, name: 'choir' }],
  ['/subscribe choir', { kind: 'topic', joins: true, name: 'choir' }],
  ['Subscribe', { kind: 'topic', joins: true, name: '' }],
  ['ОТПИСКА хор', { kind: 'topic', joins: false, name: 'хор' }],
  ['Unsubscribe choir', { kind: 'topic', joins: false, name: 'choir' }],
  ['отписка!', { kind: 'topic', joins: false, name: '' }],
  ['Подписка на журнал: сдавайте деньги', { kind: 'message', to: ['Подписка на журнал'], text: 'сдавайте деньги' }],
  ['topic:choir, хор: да', { kind: 'message', to: ['topic:choir', 'хор'], text: 'да' }],
  ['СТОП всё', { kind: 'stop' }],
  ['stop all!', { kind: 'stop' }],
  ['старт все', { kind: 'start' }],
  ['СТОП всё: домой', { kind: 'message', to: ['СТОП всё'], text: 'домой' }],
  ['СТОП новости', { kind: 'switch', isOn: false, name: 'новости' }],
  ['stop News', { kind: 'switch', isOn: false, name: 'News' }],
  ['Старт  от ректора ', { kind: 'switch', isOn: true, name: 'от ректора' }],
  ['START news', { kind: 'switch', isOn: true, name: 'news' }],
  ['/stop news', { kind: 'switch', isOn: false, name: 'news' }],
  ['стоп пары: отменены', { kind: 'message', to: ['стоп пары'], text: 'отменены' }],
  ['ТИХО 23-7', { kind: 'quiet', hours: { from: '23:00', to: '07:00' } }],
  ['тихо 23:30 – 7.15', { kind: 'quiet', hours: { from: '23:30', to: '07:15' } }],
  ['Тихо с 23 до 7', { kind: 'quiet', hours: { from: '23:00', to: '07:00' } }],
  ['QUIET from 23 to 7', { kind: 'quiet', hours: { from: '23:00', to: '07:00' } }],
  ['ТИХО НЕТ', { kind: 'quiet', hours: 'never' }],
  ['quiet never', { kind: 'quiet', hours: 'never' }],
  ['тихо как все', { kind: 'quiet', hours: 'fleet' }],
  ['Quiet off', { kind: 'quiet', hours: 'fleet' }],
  ['тихо', { kind: 'quiet' }],
  ['ТИХО 8-7', { kind: 'unclear', lacks: 'hours' }],
  ['ТИХО 25-7', { kind: 'unclear', lacks: 'hours' }],
  ['ТИХО 7-7', { kind: 'unclear', lacks: 'hours' }],
  ['ТИХО 23:99-7:00', { kind: 'unclear', lacks: 'hours' }],
  ['Тихо: идёт экзамен', { kind: 'message', to: ['Тихо'], text: 'идёт экзамен' }],
  ['тихо в аудитории', { kind: 'unclear', lacks: 'hours' }],
  ['Тихо, группа 3: идёт экзамен', { kind: 'message', to: ['Тихо', 'группа 3'], text: 'идёт экзамен' }],
  ['подписывайтесь', { kind: 'unclear', lacks: 'colon' }],
  ['ИВТ-101:  ', { kind: 'unclear', lacks: 'text' }],
  [': Пары не будет', { kind: 'unclear', lacks: 'groups' }],
  ['Пары не будет', { kind: 'unclear', lacks: 'colon' }],
  ['group:ivt-101', { kind: 'unclear', lacks: 'colon' }],
  ['остановите', { kind: 'unclear', lacks: 'colon' }],
  ['', { kind: 'unclear', lacks: 'colon' }],
]

describe('what somebody wants who has sent a text', () => {
  for (const [text, command] of rows) {
    it(`${JSON.stringify(text)} is ${command.kind}`, () => expect(readCommand(text)).to.deep.equal(command))
  }

  it('is read from any text whatever, and sends nothing that is not there', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'ИВТ-1 0:,;\n группаКОД') }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const command = readCommand(text)
        if (command.kind !== 'message') return
        expect(text).to.include(command.text)
        for (const name of command.to) expect(text).to.include(name)
        expect(text.search(/[:：]/)).to.be.at.least(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads a text of any shape in a time that grows with its length', () => {
    for (const piece of [
      '\n',
      ' \n',
      ',',
      ', ',
      'group:',
      '\n group',
      'КОД ',
      'СТОП',
      'ОТПИСКА ',
      'A',
      '\u0301',
      'ﷺ',
      '：',
    ]) {
      const text = piece.repeat(80_000 / piece.length)
      const began = cpuMs()
      readCommand(text)
      expect(cpuMs() - began, JSON.stringify(piece)).to.be.below(1_000)
    }
  })
})
