/** @param language BCP 47 */
export const isRussian = (language: string) => /^ru\b/i.test(language)
