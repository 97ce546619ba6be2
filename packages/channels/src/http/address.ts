import { maxUrlLength } from '@courier-fleet/api-types/url-recipients'

/**
 * The stored form of a URL to post to, as `new URL()` writes it: in ASCII, the host in lower case and a number as an address. Whose
 * network it leads to is not for a form to say: that is looked at where it is called.
 */
export function normaliseUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // who is told the address would be told the password; what follows # is never sent
  if (url.username || url.password || url.hash || url.hostname === '') return undefined
  return url.href.length <= maxUrlLength ? url.href : undefined
}
