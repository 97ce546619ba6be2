/** The words of the page of templates: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const en = {
  intro: 'Texts that are kept and used again. Whoever writes a message can choose one.',
  archivedToo: 'Archived ones, too',
  none: 'There are no templates yet.',
  create: 'New template',
  version: (version: number) => `Version ${version}`,
  asks: (labels: string) => `asks for: ${labels}`,
  archived: 'archived',
  id: 'Id',
  idHint: 'Letters a–z, digits, - and _, such as exam-room',
  taken: 'There is a template with this id. Choose another id.',
  nameIn: { ru: 'Name in Russian', en: 'Name in English' },
  type: 'What it is about',
  noType: 'the sender chooses',
  text: 'Text',
  textIn: (language: string) => `Text: ${language}`,
  textHint:
    '{{name}}: the name of whoever reads it. {{room}}: a field of your own. {{room|hall}}: “hall” where it has no value.',
  language: 'Language, such as ru, en or de',
  forOthers: 'This text is for all other languages, too.',
  addText: 'Add a language',
  dropText: (language: string) => `Remove the text: ${language}`,
  wrong: (mark: string) => `${mark} is no field. A field is {{room}}; two braces are {{{{.`,
  lacks: (fields: string) => `A field of another language is missing here: ${fields}.`,
  sameLanguage: 'There is a text in this language.',
  ask: (field: string) => `Ask the sender for ${field}`,
  ofEach: 'Not asked for: each person reads their own value.',
  otherwise: (text: string) => `Without a value: “${text}”.`,
  label: { ru: 'Question in Russian', en: 'Question in English' },
  example: 'Example',
  reader: 'Read by',
  me: 'me',
  parts: (parts: number) => `As SMS: ${createPlural('en')(parts, { one: 'part', other: 'parts' })}.`,
  lacking: (people: number, fields: string) =>
    `Not known for ${createPlural('en')(people, { one: 'person', other: 'people' })}: ${fields}. Nobody gets a message until they have a value, the sender is asked for it, or something stands in its place.`,
  save: 'Save',
  archive: 'Archive',
  isArchived: 'It is archived: nobody can choose it. Once saved, they can again.',
  versions: 'Versions',
  restore: 'Set again',
  restoreOf: (version: number) => `Set version ${version} again`,
  saved: (version: number) => `Saved: version ${version}. Messages that were written before keep their text.`,
  unchanged: 'Nothing was changed: it was so already.',
  archivedNow: 'Archived: nobody can choose it any more. Messages that were written before go out.',
  undo: 'Undo',
  undone: 'It is as it was before.',
  meanwhile: (by: string, at: string, version: number) =>
    `${by} has changed it meanwhile, ${at}. What you have written is still here. Look at version ${version} below; if you save now, yours takes its place.`,
}

type TemplateWords = typeof en

const ru: TemplateWords = {
  intro: 'Тексты, которые хранятся и нужны снова. Их может выбрать каждый, кто пишет сообщение.',
  archivedToo: 'Показать и архивные',
  none: 'Шаблонов пока нет.',
  create: 'Новый шаблон',
  version: (version) => `Версия ${version}`,
  asks: (labels) => `спросим: ${labels}`,
  archived: 'в архиве',
  id: 'Код',
  idHint: 'Латинские буквы, цифры, - и _, например exam-room',
  taken: 'Шаблон с таким кодом уже есть. Выберите другой код.',
  nameIn: { ru: 'Название по-русски', en: 'Название по-английски' },
  type: 'О чём',
  noType: 'выбирает отправитель',
  text: 'Текст',
  textIn: (language) => `Текст: ${language}`,
  textHint: '{{name}} — имя того, кто читает. {{room}} — ваше поле. {{room|зал}} — «зал», если значение не известно.',
  language: 'Язык, например ru, en или de',
  forOthers: 'Этот текст — и для всех остальных языков.',
  addText: 'Добавить язык',
  dropText: (language) => `Убрать текст: ${language}`,
  wrong: (mark) => `${mark} — не поле. Поле — это {{room}}, а две скобки — {{{{.`,
  lacks: (fields) => `Здесь нет поля из текста на другом языке: ${fields}.`,
  sameLanguage: 'Текст на этом языке уже есть.',
  ask: (field) => `Спросить отправителя: ${field}`,
  ofEach: 'Не спросим: у каждого своё значение.',
  otherwise: (text) => `Если не известно: «${text}».`,
  label: { ru: 'Вопрос по-русски', en: 'Вопрос по-английски' },
  example: 'Пример',
  reader: 'Кто читает',
  me: 'я',
  parts: (parts) =>
    `В SMS: ${createPlural('ru')(parts, { one: 'часть', few: 'части', many: 'частей', other: 'части' })}.`,
  lacking: (people, fields) =>
    `Не известно для ${createPlural('ru')(people, { one: 'человека', few: 'человек', many: 'человек', other: 'человека' })}: ${fields}. Сообщение не уйдёт никому, пока у них нет значения, отправителя не спрашивают и взамен ничего нет.`,
  save: 'Сохранить',
  archive: 'В архив',
  isArchived: 'Шаблон в архиве: выбрать его нельзя. Когда сохраните, станет можно.',
  versions: 'Версии',
  restore: 'Вернуть эту',
  restoreOf: (version) => `Вернуть версию ${version}`,
  saved: (version) => `Сохранено: версия ${version}. В сообщениях, написанных раньше, текст прежний.`,
  unchanged: 'Ничего не изменилось: так и было.',
  archivedNow: 'Шаблон в архиве: выбрать его больше нельзя. Сообщения, написанные раньше, уйдут.',
  undo: 'Вернуть как было',
  undone: 'Всё снова как было.',
  meanwhile: (by, at, version) =>
    `Тем временем шаблон изменил(а) ${by}, ${at}. Написанное вами осталось здесь. Посмотрите ниже версию ${version}: если сохраните сейчас, ваша её заменит.`,
}

export const templateTexts = { en, ru } as const

export function useTemplateWords(): TemplateWords {
  return templateTexts[useStores().language.code.value]
}
