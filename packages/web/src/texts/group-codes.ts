/** The words of codes for a group: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Коды для привязки',
  intro:
    'Каждому, у кого на этом канале нет контакта, код на листе для печати. Раздайте полоски лично: кто отправит код, тот и будет получать сообщения этого человека.',
  channel: 'Канал',
  days: 'Сколько дней действуют',
  again: 'И тем, у кого контакт уже есть: он будет заменён',
  make: 'Сделать новые коды',
  voids: 'Прежние коды этой группы на этом канале больше не действуют.',
  open: 'Открыть лист для печати',
}

const en: typeof ru = {
  title: 'Codes to link contacts',
  intro:
    'For everyone without a contact on this channel a code, on a sheet to be printed. Hand each strip to its person: whoever sends the code gets the messages of that person.',
  channel: 'Channel',
  days: 'Good for so many days',
  again: 'For those who have a contact, too: it will be replaced',
  make: 'Make new codes',
  voids: 'Earlier codes of this group on this channel are void now.',
  open: 'Open the sheet to print it',
}

const groupCodesWords = { ru, en } as const

export const useGroupCodesWords = (): typeof ru => groupCodesWords[useStores().language.code.value]
