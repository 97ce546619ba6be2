/**
 * Half a character (a surrogate alone, as it is left when a text is cut by its length) is replaced by U+FFFD at acceptance:
 * providers differ in what they make of it, and nobody is to be told another text than the others.
 */
export const wholeCharacters = (text: string) =>
  surrogate.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text

/** half of one, whether the other half is there or not: looked for in a fifth of the time */
const surrogate = /[\uD800-\uDFFF]/
