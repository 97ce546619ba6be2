import type { Language } from './catalogue.ts'

/** `908 ₽`, `0,45 ₽`: never rounded to less than was meant. @param millionths of the currency, whole */
export function moneyWords(language: Language, millionths: number, currency: string): string {
  const isWhole = millionths % 1_000_000 === 0
  const form = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: isWhole ? 0 : 2,
    maximumFractionDigits: isWhole ? 0 : 6,
  })
  return form.format(millionths / 1_000_000)
}
