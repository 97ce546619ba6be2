/** The words of the page that loads a list of people: loaded with it. */
import { writtenChannels } from '@courier-fleet/channels'
import { columnsOf } from '@courier-fleet/channels/roster-columns'
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

export interface ImportWords {
  readonly title: string
  readonly hint: string
  readonly file: string
  readonly removeLeavers: string
  readonly removeHint: string
  readonly check: string
  readonly done: (count: number) => string
  readonly chooseFirst: string
  readonly outcome: string
  readonly loaded: string
  readonly nothingYet: string
  readonly counts: Readonly<Record<'created' | 'updated' | 'unchanged' | 'rejected' | 'removed', string>>
  readonly groups: string
  readonly who: Readonly<Record<'created' | 'updated', string>>
  readonly leavers: string
  readonly confirm: (count: number) => string
  readonly more: (count: string) => string
  readonly mistakes: string
  readonly line: string
  readonly allWell: string
  readonly load: string
  /** what would be right in a column */
  readonly right: Readonly<Record<string, string | undefined>>
}

const addressesIn = (language: 'en' | 'ru') =>
  Object.fromEntries(
    writtenChannels.flatMap((channel) => columnsOf(channel).map((column) => [column, channel.words[language].hint])),
  )

/** those that hold addresses */
const columns = writtenChannels.flatMap(columnsOf).join(', ')

const pluralEn = createPlural('en')
const pluralRu = createPlural('ru')

const en: ImportWords = {
  title: 'Import a roster',
  hint: `A CSV file with the columns name, role, and any of id, timezone, language, ${columns}, groups, owns. It adds and corrects, and may be repeated.`,
  file: 'CSV file',
  removeLeavers: 'Remove who is not in the list',
  removeHint: 'Of the roles that are in the list. You are shown who they are before.',
  check: 'Check',
  done: (count) => `${pluralEn(count, { one: 'line', other: 'lines' })} done…`,
  chooseFirst: 'Choose a file.',
  outcome: 'What would change',
  loaded: 'What has changed',
  nothingYet: 'Nothing is saved yet.',
  counts: {
    created: 'created',
    updated: 'updated',
    unchanged: 'unchanged',
    rejected: 'rejected',
    removed: 'removed',
  },
  groups: 'New groups and cohorts',
  who: { created: 'Who is new', updated: 'Who is changed' },
  leavers: 'Who is not in the list',
  confirm: (count) => `Yes, remove ${pluralEn(count, { one: 'person', other: 'people' })}`,
  more: (count) => `and ${count} more`,
  mistakes: 'Lines that cannot be taken',
  line: 'Line',
  allWell: 'Every line can be taken.',
  load: 'Load',
  right: {
    id: 'Letters and digits.',
    name: 'The name of a person.',
    role: 'The id of a role, such as student or trainer. The page of the rules lists them.',
    timezone: 'Such as Europe/Moscow.',
    language: 'Such as ru.',
    groups: 'A group, or cohort/group; several with | between them.',
    owns: 'A group, or cohort:name; several with | between them.',
    ...addressesIn('en'),
  },
}

const ru: ImportWords = {
  title: 'Загрузка списка',
  hint: `Файл CSV со столбцами name, role и любыми из id, timezone, language, ${columns}, groups, owns. Загрузка добавляет и исправляет; её можно повторять.`,
  file: 'Файл CSV',
  removeLeavers: 'Убрать тех, кого нет в списке',
  removeHint: 'Только из ролей, которые есть в списке. Сначала покажем, кто это.',
  check: 'Проверить',
  done: (count) => `Готово: ${pluralRu(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })}…`,
  chooseFirst: 'Выберите файл.',
  outcome: 'Что изменится',
  loaded: 'Что изменилось',
  nothingYet: 'Пока ничего не сохранено.',
  counts: {
    created: 'добавлено',
    updated: 'изменено',
    unchanged: 'без изменений',
    rejected: 'отклонено',
    removed: 'убрано',
  },
  groups: 'Новые группы и потоки',
  who: { created: 'Кто новый', updated: 'У кого что-то меняется' },
  leavers: 'Кого нет в списке',
  confirm: (count) =>
    `Да, убрать ${pluralRu(count, { one: 'человека', few: 'человек', many: 'человек', other: 'человека' })}`,
  more: (count) => `и ещё ${count}`,
  mistakes: 'Строки, которые нельзя принять',
  line: 'Строка',
  allWell: 'Все строки можно принять.',
  load: 'Загрузить',
  right: {
    id: 'Буквы и цифры.',
    name: 'Имя человека.',
    role: 'Код роли, например student или trainer. Все роли — на странице правил.',
    timezone: 'Например, Europe/Moscow.',
    language: 'Например, ru.',
    groups: 'Группа или поток/группа; несколько через |.',
    owns: 'Группа или cohort:название; несколько через |.',
    ...addressesIn('ru'),
  },
}

export const importTexts = { en, ru } as const

export function useImportWords(): ImportWords {
  return importTexts[useStores().language.code.value]
}
