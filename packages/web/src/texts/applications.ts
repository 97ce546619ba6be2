/** The words of applications to be put into the list: loaded with them. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Заявки',
  intro:
    'Эти люди просят включить их в список и подтвердили свой контакт. Проверьте, кто это: принятый станет студентом группы, и его согласие получать сообщения уже записано.',
  none: 'Заявок нет.',
  by: (channel: string, address: string) => `${channel}: ${address}`,
  wish: (group: string) => `пишет: группа «${group}»`,
  at: (moment: string) => `подана ${moment}`,
  until: (moment: string) => `удалится ${moment}`,
  linkedTo: (person: string) => `Этот контакт уже привязан: ${person}. Принять нельзя: отклоните заявку и выдайте код.`,
  accepting: 'Принятие прервалось. Нажмите «Принять» ещё раз.',
  group: 'В какую группу',
  accept: 'Принять',
  accepted: (name: string) => `${name}: заявка принята.`,
  answer: 'Почему отказ (это прочтёт заявитель)',
  refuse: 'Отклонить',
  refused: (name: string) => `${name}: заявка отклонена.`,
}

const en: typeof ru = {
  title: 'Applications',
  intro:
    'These people ask to be put into the list, and have proved their contact. Check who they are: whoever is accepted becomes a student of the group, and has already agreed to get messages.',
  none: 'There are no applications.',
  by: (channel, address) => `${channel}: ${address}`,
  wish: (group) => `writes: group “${group}”`,
  at: (moment) => `made ${moment}`,
  until: (moment) => `removed ${moment}`,
  linkedTo: (person) => `This contact is linked already: ${person}. It cannot be accepted: refuse it, and give a code.`,
  accepting: 'Accepting was cut off. Press “Accept” once more.',
  group: 'Into which group',
  accept: 'Accept',
  accepted: (name) => `${name}: the application was accepted.`,
  answer: 'Why you refuse (the applicant reads it)',
  refuse: 'Refuse',
  refused: (name) => `${name}: the application was refused.`,
}

const applicationWords = { ru, en } as const

export const useApplicationWords = (): typeof ru => applicationWords[useStores().language.code.value]
