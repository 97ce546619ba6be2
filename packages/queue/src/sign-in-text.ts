/** What the fleet itself writes to people. */

const texts = {
  en: (code: string) => `Your sign-in code: ${code}. It is good for 10 minutes; tell it to nobody.`,
  ru: (code: string) => `Код для входа: ${code}. Действует 10 минут, никому его не сообщайте.`,
} as const

/** @param language BCP 47; English where we have no better */
export function signInText(language: string, code: string): string {
  return texts[language.split('-', 1)[0] === 'ru' ? 'ru' : 'en'](code)
}
