/** The words of the dialog in which operators set the budgets of SMS: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const en = {
  open: 'Budgets of SMS…',
  title: 'Budgets of SMS',
  intro:
    'What the SMS of the whole fleet may come to in a month, and those of one sender in a day. Nothing is sent beyond it; an empty field is no limit. It counts from the next decision on.',
  month: 'The whole fleet, in a month',
  day: (role: string) => `In a day, each: ${role}`,
  unit: (of: string) => `${of}: of what`,
  parts: 'parts of SMS',
  people: (count: number) => createPlural('en')(count, { one: 'person', other: 'people' }),
  was: (amount: string) => `Until now: ${amount}.`,
  none: 'no limit',
  exempt: 'Types that no budget holds for',
  wrong: 'Write a number above 0, of parts a whole one, or nothing.',
  noPrices: 'To set them in money, prices of SMS have to be set first, on the page of rules.',
  save: 'Save',
  saved: (version: number) => `Saved, version ${version}.`,
  unchanged: 'Nothing was changed.',
  undo: 'Undo',
  undone: (version: number) => `As before, version ${version}.`,
}

type BudgetTexts = typeof en

const ru: BudgetTexts = {
  open: 'Бюджеты SMS…',
  title: 'Бюджеты SMS',
  intro:
    'Во что могут обойтись SMS всей службы за месяц и SMS одного отправителя за день. Сверх этого ничего не уходит; пустое поле — без предела. Действует со следующего решения.',
  month: 'Вся служба, за месяц',
  day: (role) => `За день, каждый: ${role}`,
  unit: (of) => `${of}: чего`,
  parts: 'частей SMS',
  people: (count) => createPlural('ru')(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' }),
  was: (amount) => `До сих пор: ${amount}.`,
  none: 'без предела',
  exempt: 'Виды сообщений, на которые бюджеты не действуют',
  wrong: 'Напишите число больше нуля, частей — целое, или ничего.',
  noPrices: 'Чтобы задать их в деньгах, сначала задайте цены SMS на странице правил.',
  save: 'Сохранить',
  saved: (version) => `Сохранено, версия ${version}.`,
  unchanged: 'Ничего не изменено.',
  undo: 'Вернуть как было',
  undone: (version) => `Снова как было, версия ${version}.`,
}

const budgetTexts = { en, ru } as const

export function useBudgetTexts(): BudgetTexts {
  return budgetTexts[useStores().language.code.value]
}
