/** The words of what is left to do about whoever was not reached: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const peopleRu = (count: number) =>
  createPlural('ru')(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const peopleEn = (count: number) => createPlural('en')(count, { one: 'person', other: 'people' })

const ru = {
  again: (getting: number, of: number) =>
    getting === of
      ? `Написать ещё раз только им: ${peopleRu(of)}`
      : `Написать ещё раз тем из них, кому есть куда: ${getting} из ${of}`,
  by: (channel: string, getting: number, of: number) => `Написать через другой канал: ${channel}, ${getting} из ${of}`,
  /** to whoever may link no contact for others */
  askOperator: (count: number) =>
    `Писать некуда: ${peopleRu(count)}. Контакт привяжет оператор; потом можно написать ещё раз.`,
  link: 'Привязать контакт',
}

const en: typeof ru = {
  again: (getting, of) =>
    getting === of
      ? `Write again to them only: ${peopleEn(of)}`
      : `Write again to those of them who can be written to: ${getting} of ${of}`,
  by: (channel, getting, of) => `Write another way: ${channel}, ${getting} of ${of}`,
  askOperator: (count) =>
    `There is nowhere to write to ${peopleEn(count)}. An operator can link a contact for them; then write again.`,
  link: 'Link a contact',
}

const waysLeftWords = { ru, en } as const

export const useWaysLeftWords = (): typeof ru => waysLeftWords[useStores().language.code.value]
