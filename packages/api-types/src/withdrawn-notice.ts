/** What a message says that was withdrawn and could not be deleted. */
const notice = { ru: 'Сообщение отозвано', en: 'Message withdrawn' } as const

/** @param language a tag; whoever does not read Russian reads English */
export const withdrawnNotice = (language: string): string => (/^ru\b/i.test(language) ? notice.ru : notice.en)
