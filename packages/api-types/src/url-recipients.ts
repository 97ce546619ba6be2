/** Recipients that are no people: URLs that a message is posted to, as tokens of `to`. Free of zod, so that a page may load it. */

export const maxUrlLength = 1000
export const urlPattern = /^url:https?:\/\/[\x21-\x7e]{1,1000}$/

const prefix = 'url:'
export const urlToken = (url: string): string => prefix + url

/** undefined for a token that names people, or leaves some of them. */
export const urlIn = (token: string): string | undefined =>
  token.startsWith(prefix) ? token.slice(prefix.length) : undefined
