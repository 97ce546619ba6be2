/** The words around the role of a person, which administrators give: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const en = {
  ofPerson: 'Role',
  change: 'Change the role',
  changeYes: 'Yes, change the role',
  foreseen: (before: string, after: string) =>
    `Nothing is changed yet. The role would be ${after} instead of ${before}.`,
  scheduled: (count: number) =>
    count === 0
      ? 'None of their messages is scheduled.'
      : `${createPlural('en')(count, { one: 'message of theirs is', other: 'messages of theirs are' })} scheduled. If the new role may write to fewer people, each is held when it is due, until an operator decides.`,
  changed: (after: string) => `The role is ${after} now.`,
  undo: 'Undo',
}

type PersonRoleTexts = typeof en

const ru: PersonRoleTexts = {
  ofPerson: 'Роль',
  change: 'Сменить роль',
  changeYes: 'Да, сменить роль',
  foreseen: (before, after) => `Пока ничего не изменено. Роль станет «${after}» вместо «${before}».`,
  scheduled: (count) =>
    count === 0
      ? 'Запланированных сообщений у этого человека нет.'
      : `Запланировано: ${createPlural('ru')(count, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })}. Если с новой ролью можно писать меньшему числу людей, каждое в свой срок будет задержано до решения оператора.`,
  changed: (after) => `Теперь роль — «${after}».`,
  undo: 'Вернуть как было',
}

const personRoleTexts = { en, ru } as const

export function usePersonRoleTexts(): PersonRoleTexts {
  return personRoleTexts[useStores().language.code.value]
}
