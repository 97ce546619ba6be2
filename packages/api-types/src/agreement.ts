/**
 * The words by which people agree to be written to, each under an id: by what, which version, in which language. A record of consent keeps the id, so
 * no text here is ever changed or taken out: another wording is another version.
 */
const texts = {
  'application-1-ru':
    'Отправляя код, вы соглашаетесь получать здесь сообщения университета. Прекратить их можно в любое время: СТОП.',
  'application-1-en':
    'By sending the code you agree to get messages of the university here. You can stop them at any time: STOP.',
  'code-1-ru':
    'Отправляя код, вы соглашаетесь получать здесь сообщения университета. Прекратить их можно в любое время: СТОП.',
  'code-1-en':
    'By sending the code you agree to get messages of the university here. You can stop them at any time: STOP.',
  'page-1-ru': 'Хочу получать сообщения здесь',
  'page-1-en': 'I want messages here',
  'page-2-ru': 'Даю согласие получать сообщения здесь',
  'page-2-en': 'I agree to get messages here',
  'push-1-ru': 'Включить в этом браузере',
  'push-1-en': 'Turn on in this browser',
} as const
export type AgreementId = keyof typeof texts
export const agreementIds = Object.keys(texts) as [AgreementId, ...AgreementId[]]

/** those that are shown now */
const newest = { application: 'application-1', code: 'code-1', page: 'page-2', push: 'push-1' } as const

export interface AgreementText {
  readonly id: AgreementId
  readonly words: string
}

/** @param language a tag; whoever does not read Russian is asked in English */
export function agreementText(by: keyof typeof newest, language: string): AgreementText {
  const id = `${newest[by]}-${/^ru\b/i.test(language) ? 'ru' : 'en'}` as const
  return { id, words: texts[id] }
}

/** @returns undefined for an id of a later build */
export const agreementWords = (id: string): string | undefined =>
  Object.hasOwn(texts, id) ? texts[id as AgreementId] : undefined
