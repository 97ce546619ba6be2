import type { SettingsConcern } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { concernWords } from '../src/index.ts'

const first = '2026-09-01T05:00:00.000Z'
const time = (at: string) => at.slice(11, 16)

describe('whom a change of the settings concerns', () => {
  const words = (concern: SettingsConcern) =>
    (['en', 'ru'] as const).flatMap((language) => concernWords(language, [concern], time))

  it('is said of who waits: how many, why, and until when at least', () => {
    const causes = { quiet: 1201, capped: 3 }
    expect(words({ code: 'held', people: 1204, causes, first, atLeast: false })).to.deep.equal([
      '1,204 people wait because of a rule, counted on each channel (1,201: quiet hours of the recipients; 3: they have had as many messages as allowed), the first until 05:00. By the new rules they are decided about anew within seconds: they may be written to sooner or later than that, or not at all.',
      'Из-за правил ждут, если считать на каждом канале: 1 204 человека (1 201: тихие часы получателей; 3: сообщений уже столько, сколько можно), ближайший до 05:00. По новым правилам о них решается заново за секунды: им могут написать раньше или позже этого времени или не написать вовсе.',
    ])
    const [english, russian] = words({ code: 'held', people: 1, causes: { exam: 1 }, first, atLeast: true })
    expect(english).to.match(/^At least 1 person waits because of a rule/)
    expect(russian).to.match(/: самое меньшее 1 человек \(1: экзамен у получателей\)/)
  })

  it('is said of what is scheduled: how many messages, to how many, and when the first is due', () => {
    expect(words({ code: 'scheduled', messages: 1, people: 40, first, atLeast: false })).to.deep.equal([
      '1 message has not started, to 40 recipients in all, the first is due 05:00. The rules that hold when a message starts say who gets it when.',
      'Ещё не начата отправка: 1 сообщение, получателей всего 40, ближайшее 05:00. Кто и когда получит сообщение, решат правила, которые действуют, когда его отправка начнётся.',
    ])
    expect(words({ code: 'scheduled', messages: 3000, people: 1, first, atLeast: true })).to.deep.equal([
      'At least 3,000 messages have not started, to 1 recipient in all, the first is due 05:00. The rules that hold when a message starts say who gets it when.',
      'Ещё не начата отправка: самое меньшее 3 000 сообщений, получателей всего 1, ближайшее 05:00. Кто и когда получит сообщение, решат правила, которые действуют, когда его отправка начнётся.',
    ])
  })

  it('is said of who has a role: people, API keys, and what becomes of messages of theirs', () => {
    const role = { code: 'role', role: 'dean', people: 2, keys: 0, messages: 0, held: false, atLeast: false } as const
    expect(words(role)).to.deep.equal([
      '2 people have this role. None of their messages waits to be sent.',
      'Эта роль — у 2 человек. Их сообщения отправки не ждут.',
    ])
    expect(words({ ...role, people: 1, keys: 1, messages: 3 })).to.deep.equal([
      '1 person has this role, and 1 API key too. 3 messages of theirs have not started. Each goes out as it was accepted.',
      'Эта роль — у 1 человека и ещё у 1 ключа API. Ещё не начата отправка: 3 сообщения. Каждое уйдёт так, как было принято.',
    ])
    expect(words({ ...role, messages: 1, held: true, atLeast: true })).to.deep.equal([
      '2 people have this role. At least 1 message of theirs has not started. Each is held when it is due, until an operator decides: its sender may write to fewer people then.',
      'Эта роль — у 2 человек. Ещё не начата отправка: самое меньшее 1 сообщение. Каждое в свой срок будет задержано до решения оператора: отправитель сможет писать меньшему числу людей.',
    ])
  })

  it('is said of what is kept for a shorter time', () => {
    expect(words({ code: 'forgotten', days: 7 })).to.deep.equal([
      'Messages that have been over for more than 7 days are forgotten, with all that is known of their recipients.',
      'Сообщения, законченные больше 7 дней назад, забываются вместе со всем, что известно о получателях.',
    ])
    expect(words({ code: 'forgotten', days: 21 })[1]).to.contain('больше 21 дня назад')
  })
})
