import type { Catalogue, Language } from './catalogue.ts'

/** Those that are loaded: of a program every one, of a page that of its language. */
const catalogues = new Map<Language, Catalogue>()

export function addCatalogue(language: Language, catalogue: Catalogue): void {
  catalogues.set(language, catalogue)
}

export function wordsIn(language: Language): Catalogue {
  const catalogue = catalogues.get(language)
  if (!catalogue) throw new Error(`the words of "${language}" are not loaded`)
  return catalogue
}

/** @param tag BCP 47 */
export const languageOf = (tag: string): Language => (/^ru\b/i.test(tag) ? 'ru' : 'en')
