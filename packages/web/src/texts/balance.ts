/** The words of whether the numbers of a message agree: loaded where they do not, and by operators. */
import type { ReceiptState } from '@courier-fleet/api-types'
import { wordsIn } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const ru = {
  /** to operators */
  balanced: 'Числа сходятся: счётчики совпадают с отметками по каждому человеку.',
  unbalanced:
    'Числа на этой странице не сходятся, пока на них нельзя полагаться. Сервис сам сообщает об этом операторам. Если срочно, спросите самих получателей.',
  /** to operators: of the counters and of the receipts */
  differs: (state: ReceiptState, counted: string, found: string) =>
    `${wordsIn('ru').receipts[state]} — по счётчикам ${counted}, по отметкам ${found}`,
}

const en: typeof ru = {
  balanced: 'The numbers add up: the counters agree with the receipts, person by person.',
  unbalanced:
    'The numbers on this page do not add up: do not rely on them yet. The service tells operators of it by itself. If it is urgent, ask the people themselves.',
  differs: (state, counted, found) =>
    `${wordsIn('en').receipts[state]}: ${counted} by the counters, ${found} by the receipts`,
}

export const balanceWords = { ru, en } as const

export const useBalanceWords = (): typeof ru => balanceWords[useStores().language.code.value]
