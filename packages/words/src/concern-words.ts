/** Whom and what a change of the settings concerns that is there already, in sentences that hold before it is made and after. */
import type { SettingsConcern } from '@courier-fleet/api-types'
import { ruleCauses } from '@courier-fleet/api-types/waves'
import type { Language } from './catalogue.ts'
import { createPlural } from './plural.ts'
import { wordsIn } from './words-in.ts'

interface ConcernCatalogue {
  held(count: number, atLeast: boolean, why: string, first: string): string
  scheduled(messages: number, people: number, atLeast: boolean, first: string): string
  forgotten(days: number): string
  role(concern: RoleConcern): string
}

type RoleConcern = Extract<SettingsConcern, { code: 'role' }>

const inEnglish = createPlural('en')
const inRussian = createPlural('ru')

const en: ConcernCatalogue = {
  held: (count, atLeast, why, first) =>
    `${atLeast ? 'At least ' : ''}${inEnglish(count, { one: 'person waits', other: 'people wait' })} because of a rule, counted on each channel (${why}), the first until ${first}. By the new rules they are decided about anew within seconds: they may be written to sooner or later than that, or not at all.`,
  scheduled: (messages, people, atLeast, first) =>
    `${atLeast ? 'At least ' : ''}${inEnglish(messages, { one: 'message has', other: 'messages have' })} not started, to ${inEnglish(people, { one: 'recipient', other: 'recipients' })} in all, the first is due ${first}. The rules that hold when a message starts say who gets it when.`,
  forgotten: (days) =>
    `Messages that have been over for more than ${inEnglish(days, { one: 'day', other: 'days' })} are forgotten, with all that is known of their recipients.`,
  role: ({ people, keys, messages, held, atLeast }) => {
    const who = inEnglish(people, { one: 'person has', other: 'people have' })
    const more = keys === 0 ? '' : `, and ${inEnglish(keys, { one: 'API key', other: 'API keys' })} too`
    const waiting = `${atLeast ? 'At least ' : ''}${inEnglish(messages, { one: 'message of theirs has', other: 'messages of theirs have' })} not started`
    const then = held
      ? 'Each is held when it is due, until an operator decides: its sender may write to fewer people then.'
      : 'Each goes out as it was accepted.'
    return `${who} this role${more}. ${messages === 0 ? 'None of their messages waits to be sent.' : `${waiting}. ${then}`}`
  },
}

const ru: ConcernCatalogue = {
  held: (count, atLeast, why, first) =>
    `Из-за правил ждут, если считать на каждом канале: ${atLeast ? 'самое меньшее ' : ''}${inRussian(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })} (${why}), ближайший до ${first}. По новым правилам о них решается заново за секунды: им могут написать раньше или позже этого времени или не написать вовсе.`,
  scheduled: (messages, people, atLeast, first) =>
    `Ещё не начата отправка: ${atLeast ? 'самое меньшее ' : ''}${inRussian(messages, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })}, получателей всего ${new Intl.NumberFormat('ru').format(people)}, ближайшее ${first}. Кто и когда получит сообщение, решат правила, которые действуют, когда его отправка начнётся.`,
  forgotten: (days) =>
    `Сообщения, законченные больше ${inRussian(days, { one: 'дня', few: 'дней', many: 'дней', other: 'дня' })} назад, забываются вместе со всем, что известно о получателях.`,
  role: ({ people, keys, messages, held, atLeast }) => {
    const who = inRussian(people, { one: 'человека', few: 'человек', many: 'человек', other: 'человека' })
    const more =
      keys === 0
        ? ''
        : ` и ещё у ${inRussian(keys, { one: 'ключа', few: 'ключей', many: 'ключей', other: 'ключа' })} API`
    const waiting = inRussian(messages, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })
    const then = held
      ? 'Каждое в свой срок будет задержано до решения оператора: отправитель сможет писать меньшему числу людей.'
      : 'Каждое уйдёт так, как было принято.'
    const sent =
      messages === 0
        ? 'Их сообщения отправки не ждут.'
        : `Ещё не начата отправка: ${atLeast ? 'самое меньшее ' : ''}${waiting}. ${then}`
    return `Эта роль — у ${who}${more}. ${sent}`
  },
}

const catalogues: Readonly<Record<Language, ConcernCatalogue>> = { ru, en }

/** @param moment on the clock of the reader @returns a sentence of each */
export function concernWords(
  language: Language,
  concerns: readonly SettingsConcern[],
  moment: (at: string) => string,
): string[] {
  const said = catalogues[language]
  return concerns.map((concern) => {
    if (concern.code === 'forgotten') return said.forgotten(concern.days)
    if (concern.code === 'role') return said.role(concern)
    const first = moment(concern.first)
    if (concern.code === 'held')
      return said.held(concern.people, concern.atLeast, whyIn(language, concern.causes), first)
    return said.scheduled(concern.messages, concern.people, concern.atLeast, first)
  })
}

function whyIn(language: Language, causes: Extract<SettingsConcern, { code: 'held' }>['causes']): string {
  const words = wordsIn(language)
  const number = new Intl.NumberFormat(language)
  return ruleCauses
    .flatMap((cause) => (causes[cause] ? [`${number.format(causes[cause])}: ${words.causes[cause]}`] : []))
    .join('; ')
}
