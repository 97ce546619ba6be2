import {
  type ChannelLedger,
  type Ending,
  type HistoryState,
  type HistoryView,
  isOver,
  type PeopleCounts,
  peopleClasses,
  receiptStates,
  smsPartsOf,
  waveCauses,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { heldFor, heldIn, type Language, languages, outcomeWords } from '../src/index.ts'

const zero = Object.fromEntries(receiptStates.map((name) => [name, 0])) as Record<
  (typeof receiptStates)[number],
  number
>
const nobody = Object.fromEntries(peopleClasses.map((name) => [name, 0])) as Record<
  (typeof peopleClasses)[number],
  number
>

function history(
  state: HistoryState,
  channels: Record<string, Partial<ChannelLedger>>,
  people?: Partial<PeopleCounts>,
  size = Object.values({ ...people, why: 0, whyUnknown: 0 }).reduce((sum, each) => sum + each, 0),
): HistoryView {
  const lines = Object.entries(channels).map(([name, line]) => [
    name,
    { state: state === 'settled' ? 'settled' : 'running', accepted: size, ...zero, ...line },
  ])
  return {
    key: '00.dean.abcdefgh',
    state,
    sender: 'dean',
    at: '2026-09-01T06:00:00.000Z',
    audience: { size, sha256: '' },
    expected: Object.keys(channels),
    channels: Object.fromEntries(lines) as HistoryView['channels'],
    ...(people ? { people: { ...nobody, why: {}, whyUnknown: {}, ...people } } : {}),
  }
}

describe('what has become of a message, in words', () => {
  const cases: [what: string, said: HistoryView, ending: Ending, en: string, ru: string][] = [
    [
      'everyone got it',
      history('settled', { sms: { delivered: 3 } }, { delivered: 3 }),
      'everyone',
      'Everyone got it: 3 people.',
      'Дошло до всех: 3 человека.',
    ],
    [
      'everyone who has a contact',
      history('settled', { sms: { delivered: 2 } }, { delivered: 2, withoutContact: 1 }),
      'everyone',
      'Everyone with a contact got it: 2 of 3 people; 1 without a contact.',
      'Дошло до всех, у кого есть контакт: 2 из 3 человек; без контакта — 1.',
    ],
    [
      'a phone is off: nobody says that it arrived',
      history('settled', { sms: { sent: 1, delivered: 1 } }, { delivered: 1, handedOver: 1 }),
      'handed-over',
      'Of 2 people: 1 delivered; 1 taken by the operator, not confirmed yet.',
      'Из 2 человек: доставлено — 1; принято оператором, подтверждения ещё нет — 1.',
    ],
    [
      'sent to chats, which is all they can say',
      history('settled', { telegram: { sent: 2 }, vk: { sent: 1 } }, { sentToChat: 3 }),
      'handed-over',
      'Of 3 people: 3 sent to the chat.',
      'Из 3 человек: отправлено в чат — 3.',
    ],
    [
      'taken by the systems behind URLs, where nobody has a chat',
      history('settled', { http: { sent: 2 }, telegram: { 'no-contact': 3 } }, { sentToChat: 2, withoutContact: 1 }),
      'handed-over',
      'Of 3 people: 2 taken by another system; 1 without a contact.',
      'Из 3 человек: принято другой системой — 2; без контакта — 1.',
    ],
    [
      'in the chats of some, taken by the systems of others',
      history('settled', { http: { sent: 2 }, telegram: { sent: 1 } }, { sentToChat: 3 }),
      'handed-over',
      'Of 3 people: 3 taken by another system or sent to the chat.',
      'Из 3 человек: принято другой системой или отправлено в чат — 3.',
    ],
    [
      'taken by two kinds of providers',
      history('settled', { mail: { sent: 2 }, sms: { sent: 1 } }, { handedOver: 3 }),
      'handed-over',
      'Of 3 people: 3 taken by the mail server or taken by the operator, not confirmed yet.',
      'Из 3 человек: принято почтовым сервером или принято оператором, подтверждения ещё нет — 3.',
    ],
    [
      'a lost answer: of the only one it is not known',
      history('settled', { sms: { unknown: 1 } }, { unknown: 1, whyUnknown: { 'no-answer': 1 } }),
      'unknown',
      'It is not known that anybody got it. Of 1 person: 1 not known whether it arrived (1 no answer came).',
      'Ни о ком не известно, что дошло. Из 1 человека: неизвестно, дошло ли — 1 (ответа на отправку не было — 1).',
    ],
    [
      'some, and the others for these reasons',
      history(
        'settled',
        { vk: { sent: 1 } },
        { sentToChat: 1, notDelivered: 3, withoutContact: 1, why: { blocked: 1, 'opted-out': 2 } },
      ),
      'some',
      'Of 5 people: 1 sent to the chat; 3 not delivered (2 asked us not to write, 1 blocked us); 1 without a contact.',
      'Из 5 человек: отправлено в чат — 1; не дошло — 3 (просьба не писать — 2, отправитель заблокирован — 1); без контакта — 1.',
    ],
    [
      'nothing worked',
      history('settled', { vk: { failed: 2 } }, { notDelivered: 2, why: { refused: 2 } }),
      'nothing',
      'Nobody got it. Of 2 people: 2 not delivered (2 message refused).',
      'Ни до кого не дошло. Из 2 человек: не дошло — 2 (сообщение отклонено — 2).',
    ],
    [
      'nobody has a contact',
      history('settled', { vk: { 'no-contact': 2 }, sms: { 'no-contact': 2 } }, { withoutContact: 2 }),
      'nobody',
      'There was nowhere to send it: none of 2 people has a contact (VK, SMS).',
      'Отправлять некуда: ни у кого из 2 человек нет контакта (ВКонтакте, SMS).',
    ],
    [
      'it runs',
      {
        ...history('running', { vk: { sent: 3 } }, { sentToChat: 3, pending: 2 }),
        // two waves, of which the same is said
        waiting: [1, 1].map((people) => ({
          at: '2026-09-01T06:05:00.000Z',
          people,
          channel: 'vk' as const,
          cause: 'throttled' as const,
          words: '',
        })),
      },
      'some',
      'It is being sent. Of 5 people: 3 sent to the chat; 2 still being sent. ' +
        'VK goes on 2026-09-01T06:05:00.000Z: it has asked for a pause.',
      'Отправляется. Из 5 человек: отправлено в чат — 3; ещё отправляется — 2. ' +
        'ВКонтакте: продолжим 2026-09-01T06:05:00.000Z, там просят подождать.',
    ],
    [
      'some have it, and the others wait for the morning on two channels',
      {
        ...history(
          'running',
          { telegram: { sent: 3, pending: 2 }, sms: { pending: 1 } },
          { sentToChat: 3, pending: 2 },
        ),
        waiting: [
          { at: '2026-09-01T08:00:00.000Z', people: 2, channel: 'telegram', cause: 'quiet', words: '' },
          { at: '2026-09-01T08:00:00.000Z', people: 1, channel: 'sms', cause: 'quiet', words: '' },
        ],
      },
      'some',
      'Of 5 people: 3 sent to the chat; 2 waiting. Not finished yet: Telegram, SMS. ' +
        '2 people wait until 2026-09-01T08:00:00.000Z: quiet hours of the recipients.',
      'Из 5 человек: отправлено в чат — 3; ждут — 2. Пока не закончили: Telegram, SMS. ' +
        '2 человека ждут, отправим 2026-09-01T08:00:00.000Z: тихие часы получателей.',
    ],
    [
      'two mornings on channels that overlap: how many wait for which is not known',
      {
        ...history('running', { telegram: { pending: 3 }, sms: { pending: 3 } }, { pending: 4 }),
        waiting: (
          [
            ['2026-09-01T08:00:00.000Z', 2, 'telegram'],
            ['2026-09-01T08:00:00.000Z', 2, 'sms'],
            ['2026-09-01T09:00:00.000Z', 1, 'telegram'],
            ['2026-09-01T09:00:00.000Z', 1, 'sms'],
          ] as const
        ).map(([at, people, channel]) => ({ at, people, channel, cause: 'quiet', words: '' })),
      },
      'unknown',
      'Of 4 people: 4 waiting. Not finished yet: Telegram, SMS. ' +
        '4 people wait until 2026-09-01T08:00:00.000Z or later: quiet hours of the recipients.',
      'Из 4 человек: ждут — 4. Пока не закончили: Telegram, SMS. ' +
        '4 человека ждут, отправим 2026-09-01T08:00:00.000Z или позже: тихие часы получателей.',
    ],
    [
      'some wait for the morning while it runs',
      {
        ...history('running', { telegram: { sent: 3, pending: 4 } }, { sentToChat: 3, pending: 4 }),
        waiting: [{ at: '2026-09-01T08:00:00.000Z', people: 1, channel: 'telegram', cause: 'capped', words: '' }],
      },
      'some',
      'It is being sent. Of 7 people: 3 sent to the chat; 4 still being sent or waiting. Not finished yet: Telegram. ' +
        '1 person waits until 2026-09-01T08:00:00.000Z: they have had as many messages as allowed.',
      'Отправляется. Из 7 человек: отправлено в чат — 3; ещё в пути или ждут — 4. Пока не закончили: Telegram. ' +
        '1 человек ждёт, отправим 2026-09-01T08:00:00.000Z: сообщений уже столько, сколько можно.',
    ],
    [
      'two causes on channels that overlap: neither is said of everybody',
      {
        ...history('running', { telegram: { pending: 3 }, vk: { pending: 2 } }, { pending: 4 }),
        waiting: (
          [
            ['2026-09-01T08:00:00.000Z', 2, 'telegram', 'capped'],
            ['2026-09-01T08:00:00.000Z', 2, 'vk', 'capped'],
            ['2026-09-01T09:00:00.000Z', 1, 'telegram', 'quiet'],
          ] as const
        ).map(([at, people, channel, cause]) => ({ at, people, channel, cause, words: '' })),
      },
      'unknown',
      'Of 4 people: 4 waiting. Not finished yet: Telegram, VK. ' +
        'At least 3 people wait until 2026-09-01T08:00:00.000Z: they have had as many messages as allowed. ' +
        '1 person waits until 2026-09-01T09:00:00.000Z: quiet hours of the recipients.',
      'Из 4 человек: ждут — 4. Пока не закончили: Telegram, ВКонтакте. ' +
        'Не меньше чем 3 из них ждут, отправим 2026-09-01T08:00:00.000Z: сообщений уже столько, сколько можно. ' +
        '1 человек ждёт, отправим 2026-09-01T09:00:00.000Z: тихие часы получателей.',
    ],
    [
      'it has just begun',
      history('running', { vk: {}, sms: {} }, { pending: 2 }),
      'unknown',
      'It is being sent. Of 2 people: 2 still being sent. Not finished yet: VK, SMS.',
      'Отправляется. Из 2 человек: ещё отправляется — 2. Пока не закончили: ВКонтакте, SMS.',
    ],
    [
      'nothing was put',
      history('issued', {}, undefined, 0),
      'nothing',
      'There is no message yet.',
      'Сообщения ещё нет.',
    ],
    [
      'it is not due',
      history('scheduled', {}, undefined, 2),
      'nothing',
      'It is due 2026-09-01T06:00:00.000Z; nothing has been sent yet to 2 people.',
      'Запланировано: 2026-09-01T06:00:00.000Z, 2 человека. Пока никому не отправлено.',
    ],
    [
      'it is due in quiet hours',
      {
        ...history('scheduled', {}, undefined, 3),
        plan: {
          asOf: '2026-08-31T06:00:00.000Z',
          now: 0,
          later: [{ at: '2026-09-01T08:00:00.000Z', people: 2, cause: 'quiet' }],
          never: [{ people: 1, why: 'no-contact' }],
        },
      },
      'nothing',
      'It is due 2026-09-01T06:00:00.000Z; nothing has been sent yet to 3 people. ' +
        'Of 3 people: 2 from 2026-09-01T08:00:00.000Z (quiet hours of the recipients); 1 never (1 without a contact). ' +
        'Worked out 2026-08-31T06:00:00.000Z.',
      'Запланировано: 2026-09-01T06:00:00.000Z, 3 человека. Пока никому не отправлено. ' +
        'Из 3 человек: 2026-09-01T08:00:00.000Z — 2 (тихие часы получателей); никогда — 1 (без контакта — 1). ' +
        'Посчитано: 2026-08-31T06:00:00.000Z.',
    ],
    [
      'it was cancelled before',
      history('cancelled', {}, undefined, 2),
      'nothing',
      'It was cancelled before it started, and sent to none of 2 people.',
      'Отменено до начала, никому не отправлено: 2 человека.',
    ],
  ]
  for (const [what, said, ending, en, ru] of cases) {
    it(`${what}: ${ending}`, () => {
      expect(outcomeWords('en', said)).to.include({ ending, sentence: en })
      expect(outcomeWords('ru', said)).to.include({ ending, sentence: ru })
    })
  }

  const counts = fc.record(
    Object.fromEntries(peopleClasses.map((name) => [name, fc.nat(100_000_000)])) as Record<
      (typeof peopleClasses)[number],
      fc.Arbitrary<number>
    >,
  )
  const channels = { telegram: { sent: 1 }, sms: { sent: 1 }, mail: { sent: 1 } }

  it('is short enough for one SMS, whatever the numbers', () => {
    fc.assert(
      fc.property(
        counts,
        fc.constantFrom(...languages),
        fc.constantFrom('running', 'settled'),
        (people, language, state) => {
          const { short } = outcomeWords(language, history(state, channels, people))
          expect(smsPartsOf(short).parts, short).to.have.length(1)
        },
      ),
    )
  })

  it('says of those who wait no more than are still to be sent to, each once, however many channels they wait on', () => {
    const wave = fc.record({
      at: fc.constantFrom('2026-09-01T08:00:00.000Z', '2026-09-01T09:00:00.000Z', '2026-09-01T10:00:00.000Z'),
      people: fc.integer({ min: 1, max: 500 }),
      channel: fc.constantFrom('telegram', 'sms', 'vk'),
      cause: fc.constantFrom(...waveCauses),
      words: fc.constant(''),
    })
    fc.assert(
      fc.property(
        counts,
        fc.array(wave, { maxLength: 9 }),
        fc.constantFrom(...languages),
        (people, waiting, language) => {
          const said = { ...history('running', channels, people), waiting }
          const held = heldIn(said).map((each) => each.people)
          expect(held.reduce((sum, each) => sum + each, 0)).to.be.at.most(people.pending)
          const words = outcomeWords(language, said, { moment: () => 'then' })
          const told = [
            ...words.sentence.matchAll(/([\d,\u00a0]+) (?:people wait|person waits|челове\S+ жд|из них жд)/g),
          ]
          const numbers = told.map(([, number = '']) => Number(number.replace(/\D/g, '')))
          expect(numbers, words.sentence).to.deep.equal(isOver(said) ? [] : held.slice(0, 3))
          expect(smsPartsOf(words.short).parts, words.short).to.have.length(1)
        },
      ),
    )
  })

  it('counts them as they are, where everybody who is pending waits', () => {
    const channelsOf = fc.subarray(['telegram', 'sms', 'vk'], { minLength: 1 })
    const person = fc.record({ on: channelsOf, hour: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 40 }), (everyone) => {
        const atOf = (hour: number) => `2026-09-01T0${hour}:00:00.000Z`
        const pendingOn = (channel: string) => everyone.filter(({ on }) => on.includes(channel)).length
        const lines = Object.fromEntries(
          ['telegram', 'sms', 'vk'].map((channel) => [channel, { pending: pendingOn(channel) }]),
        )
        const waiting = ['telegram', 'sms', 'vk'].flatMap((channel) =>
          [1, 2, 3].flatMap((hour) => {
            const people = everyone.filter((each) => each.hour === hour && each.on.includes(channel)).length
            return people === 0 ? [] : [{ at: atOf(hour), people, channel, cause: 'quiet' as const, words: '' }]
          }),
        )
        const held = heldIn({ ...history('running', lines, { pending: everyone.length }), waiting })
        expect(held.reduce((sum, { people }) => sum + people, 0)).to.equal(everyone.length)
        for (const { at, people, how } of held) {
          if (how === 'exactly') expect(people).to.equal(everyone.filter(({ hour }) => atOf(hour) === at).length)
          expect(how).not.to.equal('least')
        }
        expect(held[0]?.at).to.equal(atOf(Math.min(...everyone.map(({ hour }) => hour))))
      }),
    )
  })

  it('says a cause of nobody who does not wait for it, and misses none, whatever each waits for on each channel', () => {
    const names = ['telegram', 'sms', 'vk'] as const
    const causes = ['quiet', 'capped'] as const
    const wait = fc.record({ hour: fc.integer({ min: 1, max: 2 }), cause: fc.constantFrom(...causes) })
    const person = fc
      .tuple(...names.map(() => fc.option(wait, { nil: undefined })))
      .filter((waits) => waits.some(Boolean))
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 12 }), (everyone) => {
        const atOf = (hour: number) => `2026-09-01T0${hour}:00:00.000Z`
        const waves = names.flatMap((channel, index) =>
          [1, 2].flatMap((hour) => causes.map((cause) => ({ channel, index, hour, cause }))),
        )
        const waiting = waves.flatMap(({ channel, index, hour, cause }) => {
          const isIn = (waits: (typeof everyone)[number]) =>
            waits[index]?.hour === hour && waits[index]?.cause === cause
          const people = everyone.filter(isIn).length
          return people === 0 ? [] : [{ at: atOf(hour), people, channel, cause, words: '' }]
        })
        const pendingOn = (index: number) => everyone.filter((waits) => waits[index]).length
        const lines = Object.fromEntries(names.map((channel, index) => [channel, { pending: pendingOn(index) }]))
        const said = { ...history('running', lines, { pending: everyone.length }), waiting }
        for (const { at, cause, people, how } of heldIn(said)) {
          const waitSo = everyone.filter((waits) =>
            waits.some((each) => each?.cause === cause && (how === 'earliest' || atOf(each.hour) === at)),
          )
          expect(people, JSON.stringify(said.waiting)).to.be.at.most(waitSo.length)
        }
        for (const cause of causes) {
          const theirs = everyone.filter((waits) => waits.some((each) => each?.cause === cause)).length
          const counted = heldFor(said, [cause])
          expect(counted).to.be.at.most(theirs)
          expect(counted > 0).to.equal(theirs > 0)
        }
        expect(heldFor(said, causes)).to.equal(everyone.length)
      }),
    )
  })

  it('tells four things apart where seven do not fit', () => {
    const people = {
      delivered: 1,
      sentToChat: 2,
      handedOver: 3,
      pending: 4,
      unknown: 5,
      notDelivered: 6,
      withoutContact: 7,
    }
    expect(outcomeWords('ru', history('running', channels, people)).short).to.equal(
      'Из 28: доставлено 1, отправлено 5, неизв. 9, не дошло 13',
    )
  })

  it('says in short, too, whether it was a chat that took it, or a system', () => {
    const shortOf = (language: Language, lines: Parameters<typeof history>[1]) =>
      outcomeWords(language, history('settled', lines, { sentToChat: 3 })).short
    expect(shortOf('ru', { vk: { sent: 3 } })).to.equal('Из 3: в чат 3')
    expect(shortOf('en', { vk: { sent: 3 } })).to.equal('Of 3: sent to chat 3')
    expect(shortOf('ru', { http: { sent: 3 }, vk: {} })).to.equal('Из 3: принято другой системой 3')
    expect(shortOf('en', { http: { sent: 3 }, vk: {} })).to.equal('Of 3: taken by another system 3')
    expect(shortOf('ru', { http: { sent: 3 }, vk: { sent: 1 } })).to.equal('Из 3: принято другой системой или в чат 3')
  })

  it('says on which channel how many have read it, those who have confirmed it there among them; nothing where it is told of nobody', () => {
    const sentenceOf = (language: Language, vk: Partial<ChannelLedger>) =>
      outcomeWords(language, history('settled', { vk, sms: { delivered: 1 } }, { delivered: 3, sentToChat: 2 }))
        .sentence
    expect(sentenceOf('en', { sent: 2, read: 2, confirmed: 1 }))
      .to.include('VK: read by 3.')
      .and.not.to.include('SMS: ')
    expect(sentenceOf('ru', { sent: 2, read: 2, confirmed: 1 })).to.include('ВКонтакте: прочитали 3.')
    expect(sentenceOf('en', { sent: 3, confirmed: 2 })).not.to.include('read by')
  })

  it('is the whole of it in one SMS for the size of a course', () => {
    const people = { delivered: 199, sentToChat: 40, handedOver: 21, notDelivered: 12, withoutContact: 3 }
    expect(outcomeWords('ru', history('settled', channels, people)).short).to.equal(
      'Из 275: дост. 199, в чат 40, не подтв. 21, не дошло 12, без конт. 3',
    )
  })
})
