/** The words about whom a message will reach that has not begun: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const peopleRu = (count: number) =>
  createPlural('ru')(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const peopleEn = (count: number) => createPlural('en')(count, { one: 'person', other: 'people' })

const ru = {
  asOfNow: 'Так известно сейчас: до отправки контакты и согласия могут измениться.',
  hasLeft: (count: number) =>
    `Больше не состоят в этих группах: ${peopleRu(count)}. Сообщение уйдёт и им, здесь они не посчитаны.`,
}

const en: typeof ru = {
  asOfNow: 'This is what is known now: contacts and consent may change before it goes out.',
  hasLeft: (count) => `No longer in these groups: ${peopleEn(count)}. It goes to them, too; they are not counted here.`,
}

const scheduledWords = { ru, en } as const

export const useScheduledWords = (): typeof ru => scheduledWords[useStores().language.code.value]
