/** What people write in messages and the date library does not know: brought into words that it does. */

/** For the Russian reading: `2ч`, `завтра 9`, `на завтра`, `25.12 10:00`. */
export function inPlainRussian(text: string): string {
  return text
    .replace(/(?<![а-яё])на\s+/gi, '')
    .replace(/(\d)\s*ч(?:ас)?\.?(?![а-яё])/gi, '$1 часа')
    .replace(/(\d)\s*м(?:ин)?\.?(?![а-яё])/gi, '$1 минут')
    .replace(/^(?:в\s+)?(\d{1,2})\.(\d{1,2})\.?(?=\s+(?:в\s+)?\d{1,2}(?:[:.]\d\d)?$)/, '$1/$2')
    .replace(bareHour, ' в $1:00')
}

export function inPlainEnglish(text: string): string {
  return text.replace(bareHour, ' at $1:00')
}

/** an hour by itself at the end, after a day */
const bareHour = /(?<![:./\d])(?<!\b(?:at|in|в)|через)\s+([01]?\d|2[0-3])$/i
