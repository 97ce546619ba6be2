/** What is said of types that are switched off and of quiet hours, in the language of the person. */
import type { Language } from '@courier-fleet/words'
import { type Choose, cut, idsOf, namesOf } from './choose.ts'
import type { Candidate } from './find-audience.ts'
import type { Hours } from './read-hours.ts'

export interface WishesWording {
  /** @param mandatory what comes all the same */
  readonly typeOff: (type: Candidate, mandatory: readonly Candidate[]) => string
  readonly typeOn: (type: Candidate) => string
  readonly mandatoryType: (type: Candidate) => string
  /** @param optional what can be switched off */
  readonly noType: (name: string, nearest: readonly Candidate[], optional: readonly Candidate[]) => string
  readonly whichType: (name: string, types: readonly Candidate[]) => string
  readonly quiet: (hours: Hours) => string
  readonly badHours: string
}

/** How it is written where the person writes. */
export interface Orders {
  readonly off: (type: string) => string
  readonly on: (type: string) => string
  readonly stop: string
  readonly quiet: (hours: string) => string
  /** of the hours that are none, and of those of the fleet */
  readonly never: string
  readonly usual: string
}

export const ordersByWord: Readonly<Record<Language, Orders>> = {
  ru: {
    off: (type) => `СТОП ${type}`,
    on: (type) => `СТАРТ ${type}`,
    stop: 'СТОП',
    quiet: (hours) => `ТИХО ${hours}`,
    never: 'НЕТ',
    usual: 'ОБЫЧНО',
  },
  en: {
    off: (type) => `STOP ${type}`,
    on: (type) => `START ${type}`,
    stop: 'STOP',
    quiet: (hours) => `QUIET ${hours}`,
    never: 'NO',
    usual: 'OFF',
  },
}

const russian = (choose: Choose, { off, on, stop, quiet, never, usual }: Orders): WishesWording => ({
  typeOff: ({ id, name }, mandatory) => {
    const short = [
      `Отключено везде: ${name}. Вернуть: ${on(name)}`,
      `Отключено везде: ${name}. Вернуть: ${on(id)}`,
      `Отключено везде: ${cut(name, 35, '…')}`,
    ]
    if (mandatory.length === 0) return choose(`Отключено на всех каналах: «${name}». Вернуть: ${on(name)}`, ...short)
    return choose(
      `Отключено на всех каналах: «${name}». Обязательные придут: ${namesOf(mandatory)}. Вернуть: ${on(name)}`,
      `Отключено везде: ${name}. Вернуть: ${on(name)}. Придут: ${namesOf(mandatory)}`,
      `Отключено везде: ${name}. Вернуть: ${on(name)}. Обязательные придут`,
      ...short,
    )
  },
  typeOn: ({ id, name }) =>
    choose(
      `Снова присылаем: «${name}». Отключить: ${off(name)}`,
      `Снова присылаем: «${name}». Отключить: ${off(id)}`,
      `Снова присылаем: «${cut(name, 40, '…')}».`,
    ),
  mandatoryType: ({ name }) =>
    choose(
      `«${name}» – обязательные сообщения, отдельно их не отключить. Не писать сюда совсем: ${stop}`,
      `«${name}» обязательны. Не писать сюда совсем: ${stop}`,
      `«${cut(name, 20, '…')}» обязательны. Не писать сюда совсем: ${stop}`,
    ),
  noType: (name, nearest, optional) => {
    const missing = `Нет вида «${cut(name, 20, '…')}».`
    const all = `Отключаются: ${namesOf(optional)}.`
    if (optional.length === 0) return choose(`${missing} Все обязательные. Не писать сюда: ${stop}`, missing)
    if (nearest.length === 0)
      return choose(
        `${missing} ${all} Не писать сюда совсем: ${stop}`,
        `${missing} ${all} Всё: ${stop}`,
        `${missing} ${all}`,
        `${missing} Есть: ${cut(namesOf(optional), 30, '…')}`,
        missing,
      )
    return choose(
      `${missing} Похоже: ${namesOf(nearest)}. ${all}`,
      `${missing} Похоже: ${namesOf(nearest)}`,
      `${missing} Похоже: ${namesOf(nearest.slice(0, 1))}`,
      missing,
    )
  },
  whichType: (name, types) =>
    choose(
      `«${cut(name, 14, '…')}» – это что? ${idsOf(types, 'или')}`,
      `«${cut(name, 14, '…')}» – это что? ${idsOf(types.slice(0, 2), 'или')}`,
      `Видов «${cut(name, 20, '…')}» несколько. Выберите на своей странице.`,
    ),
  quiet: (hours) => {
    if (hours === 'fleet') return choose(`Тихие часы – как у всех. Свои: ${quiet('23-7')}. Без них: ${quiet(never)}`)
    if (hours === 'never')
      return choose(`Пишем в любое время. Как у всех: ${quiet(usual)}. Свои часы: ${quiet('23-7')}`)
    return choose(
      `С ${hours.from} до ${hours.to} не пишем, кроме срочного. Как у всех: ${quiet(usual)}. В любое время: ${quiet(never)}`,
      `С ${hours.from} до ${hours.to} не пишем, кроме срочного. Вернуть: ${quiet(usual)}`,
    )
  },
  badHours: choose(
    `Не понял часы: не больше 20 часов, например ${quiet('23-7')}; ещё ${quiet(never)} и ${quiet(usual)}`,
    `Не понял часы. Пишите: ${quiet('23-7')}, ${quiet(never)} или ${quiet(usual)}`,
  ),
})

const english = (choose: Choose, { off, on, stop, quiet, never, usual }: Orders): WishesWording => ({
  typeOff: ({ id, name }, mandatory) => {
    const short = [
      `Switched off everywhere: ${name}. To have it again: ${on(name)}`,
      `Switched off everywhere: ${name}. To have it again: ${on(id)}`,
      `Switched off everywhere: ${cut(name, 35, '...')}`,
    ]
    if (mandatory.length === 0)
      return choose(`Switched off on all channels: ${name}. To have it again: ${on(name)}`, ...short)
    return choose(
      `Switched off on all channels: ${name}. Mandatory ones still come: ${namesOf(mandatory)}. To have it again: ${on(name)}`,
      `Switched off everywhere: ${name}. Mandatory types still come. To have it again: ${on(name)}`,
      ...short,
    )
  },
  typeOn: ({ id, name }) =>
    choose(
      `You will get "${name}" again. To switch it off: ${off(name)}`,
      `You will get "${name}" again. To switch it off: ${off(id)}`,
      `You will get "${cut(name, 35, '...')}" again.`,
    ),
  mandatoryType: ({ name }) =>
    choose(
      `"${name}" is mandatory and cannot be switched off by itself. To get no messages here at all: ${stop}`,
      `"${cut(name, 20, '...')}" is mandatory. No messages here at all: ${stop}`,
    ),
  noType: (name, nearest, optional) => {
    const missing = `There is no type "${cut(name, 20, '...')}".`
    const all = `You can switch off: ${namesOf(optional)}.`
    if (optional.length === 0) return choose(`${missing} All are mandatory. No messages here: ${stop}`, missing)
    if (nearest.length === 0)
      return choose(
        `${missing} ${all} No messages here at all: ${stop}`,
        `${missing} ${all}`,
        `${missing} There are: ${cut(namesOf(optional), 30, '...')}`,
        missing,
      )
    return choose(
      `${missing} Similar: ${namesOf(nearest)}. ${all}`,
      `${missing} Similar: ${namesOf(nearest)}`,
      `${missing} Similar: ${namesOf(nearest.slice(0, 1))}`,
      missing,
    )
  },
  whichType: (name, types) =>
    choose(
      `Which "${cut(name, 14, '...')}"? ${idsOf(types, 'or')}`,
      `Which "${cut(name, 14, '...')}"? ${idsOf(types.slice(0, 2), 'or')}`,
      `Several are called "${cut(name, 14, '...')}". Choose on your page.`,
    ),
  quiet: (hours) => {
    if (hours === 'fleet')
      return choose(`Your quiet hours are those of everybody. Your own: ${quiet('23-7')}. None: ${quiet(never)}`)
    if (hours === 'never')
      return choose(`You are written to at any hour. As everybody: ${quiet(usual)}. Your own hours: ${quiet('23-7')}`)
    return choose(
      `Nothing but urgent messages from ${hours.from} to ${hours.to}. As everybody: ${quiet(usual)}. At any hour: ${quiet(never)}`,
    )
  },
  badHours: choose(
    `Which hours? 20 at most, such as ${quiet('23-7')}; or ${quiet(never)} for none, ${quiet(usual)} for those of everybody`,
  ),
})

/** @param choose where a text must be short; the longest when absent */
export function wishesWording(
  language: Language,
  orders: Orders,
  choose: Choose = (longest) => longest,
): WishesWording {
  return language === 'ru' ? russian(choose, orders) : english(choose, orders)
}
