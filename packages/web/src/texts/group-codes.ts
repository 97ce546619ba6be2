/** The words of codes for a group: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Коды для привязки',
  intro:
    'Лист для печати с кодом для каждого, у кого на этом канале нет контакта. Раздайте полоски лично: кто отправит код, тот и будет получать сообщения этого человека.',
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
    'A sheet to print, with a code for everyone who has no contact on this channel. Hand each strip to its person: whoever sends the code gets the messages of that person.',
  channel: 'Channel',
  days: 'For how many days the codes work',
  again: 'For those who have a contact, too: it will be replaced',
  make: 'Make new codes',
  voids: 'Earlier codes of this group on this channel no longer work.',
  open: 'Open the sheet to print',
}

const groupCodesWords = { ru, en } as const

export const useGroupCodesWords = (): typeof ru => groupCodesWords[useStores().language.code.value]
