/** The words with which a change of the settings is looked at, made and undone: loaded where there is a form for it. */
import { useStores } from '../stores.ts'

const en = {
  check: 'Show what changes',
  nothing: 'Nothing changes: it is so already.',
  would: 'Nothing is changed yet. It would become:',
  before: (value: string) => `until now: ${value}`,
  nobody: 'Nobody who waits because of a rule is concerned, and nothing that is scheduled.',
  save: 'Yes, save',
  saved: (version: number) => `Saved as version ${version}.`,
  undo: (version: number) => `Undo: set again version ${version}`,
  undone: (of: number, version: number) => `As in version ${of} again: saved as version ${version}.`,
  stale:
    'Somebody else has changed the settings meanwhile, and nothing was saved. Read them again: what you have typed stays.',
  again: 'Read them again',
  environment: (value: string) => `The environment of the fleet says: ${value}. What is set here holds.`,
}
type SettingsChangeWords = typeof en

const ru: SettingsChangeWords = {
  check: 'Показать, что изменится',
  nothing: 'Ничего не меняется: так уже и есть.',
  would: 'Пока ничего не изменено. Станет:',
  before: (value) => `до сих пор: ${value}`,
  nobody: 'Тех, кто ждёт из-за правила, и запланированного это не касается.',
  save: 'Да, сохранить',
  saved: (version) => `Сохранено, версия ${version}.`,
  undo: (version) => `Вернуть как было: версия ${version}`,
  undone: (of, version) => `Снова как в версии ${of}: сохранено, версия ${version}.`,
  stale:
    'Тем временем настройки изменил кто-то другой, ничего не сохранено. Прочитайте их снова: что вы написали, останется.',
  again: 'Прочитать снова',
  environment: (value) => `В окружении службы: ${value}. Действует заданное здесь.`,
}

export const settingsChangeTexts = { en, ru } as const

export const useSettingsChangeWords = (): SettingsChangeWords => settingsChangeTexts[useStores().language.code.value]
