/** The words of roles, which operators make: loaded where they do. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const en = {
  title: 'Roles',
  intro:
    'What somebody may do, and how many messages a day they may send. Five roles are always there; others have the rights of one of them.',
  create: 'A new role',
  of: (name: string) => `Role ${name}`,
  /** @param quota 0 of whoever may send nothing */
  summary: (rights: string, quota: number | null, people: number) =>
    `rights of ${rights}, ${quota === 0 ? 'sends nothing' : quota === null ? 'any number of messages a day' : `${quota} messages a day`}, ${createPlural('en')(people, { one: 'person', other: 'people' })}`,
  id: 'Id',
  idHint: 'For lists and programs: small letters, digits and -, such as dean',
  nameIn: { ru: 'Name in Russian', en: 'Name in English' },
  rights: 'Rights of',
  quota: 'Messages a day',
  quotaHint: 'An empty field is no limit.',
  wrongQuota: 'Write a whole number, 0 or more, or nothing.',
  noLimit: 'no limit',
  was: (before: string) => `Until now: ${before}.`,
  save: 'Save',
  saveYes: 'Yes, save',
  remove: 'Remove this role',
  removed: 'The role is removed.',
  saved: (version: number) => `Saved, version ${version}.`,
  undo: 'Undo',
  undone: (version: number) => `As before, version ${version}.`,
}

type RoleTexts = typeof en

const ru: RoleTexts = {
  title: 'Роли',
  intro:
    'Что человеку можно и сколько сообщений в день он может отправить. Пять ролей есть всегда, у остальных права одной из них.',
  create: 'Новая роль',
  of: (name) => `Роль «${name}»`,
  summary: (rights, quota, people) =>
    `права — ${rights}, ${quota === 0 ? 'не отправляет' : `сообщений в день ${quota ?? 'без предела'}`}, ${createPlural('ru')(people, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })}`,
  id: 'Код',
  idHint: 'Для списков и программ: строчные латинские буквы, цифры и дефис, например dean',
  nameIn: { ru: 'Название по-русски', en: 'Название по-английски' },
  rights: 'Чьи права',
  quota: 'Сообщений в день',
  quotaHint: 'Пустое поле — без предела.',
  wrongQuota: 'Напишите целое число от нуля или ничего.',
  noLimit: 'без предела',
  was: (before) => `До сих пор: ${before}.`,
  save: 'Сохранить',
  saveYes: 'Да, сохранить',
  remove: 'Удалить роль',
  removed: 'Роль удалена.',
  saved: (version) => `Сохранено, версия ${version}.`,
  undo: 'Вернуть как было',
  undone: (version) => `Снова как было, версия ${version}.`,
}

const roleTexts = { en, ru } as const

export function useRoleTexts(): RoleTexts {
  return roleTexts[useStores().language.code.value]
}
