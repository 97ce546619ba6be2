/** Which URLs may be called, as far as the text of a URL tells. What its name leads to is seen when it is called. */
import { isIP } from 'node:net'
import { whyNotCalled } from './addresses.ts'
import type { GuardedSettings } from './settings.ts'

const maxLength = 2000

/** above 1023, and yet of databases, consoles and the like, which an HTTP request could harm */
const refusedPorts: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061,
  5432, 5433, 5672, 5900, 5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001,
  8500, 9042, 9092, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 16379, 25672, 26379, 27017, 27018, 27019,
])

/** @returns the URL, or why it is refused: what stands behind "the URL" */
export function checkUrl(text: string, { allowPlain, allowNets }: GuardedSettings): URL | string {
  const example = 'such as https://example.org/hook'
  if (text.length > maxLength) return `must have at most ${maxLength} characters`
  // new URL() leaves out tabs and line ends without a word
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return `must be a URL ${example}`
  const url = new URL(text)
  const protocols = allowPlain ? ['https:', 'http:'] : ['https:']
  if (!protocols.includes(url.protocol)) return `must begin with ${protocols.map((each) => `${each}//`).join(' or ')}`
  if (url.username || url.password) return 'must hold no user name and no password'
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (![80, 443].includes(port) && (port < 1024 || refusedPorts.has(port)))
    return `must not name port ${port}: 80, 443, or one from 1024 on that no database or console is known by`
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const why = isIP(host) ? whyNotCalled(host, allowNets) : undefined
  if (why) return `must lead to a public address: ${host} is not one (${why})`
  url.hash = ''
  return url
}
