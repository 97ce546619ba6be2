/** The network an address is counted under: of IPv6 its /64, for whoever has one has 2^64 addresses. */
import { isIPv6 } from 'node:net'

export function networkOf(address: string): string {
  const ip = address.split('%', 1)[0] as string
  if (!isIPv6(ip)) return ip
  // in the one form of a URL: hexadecimal groups, with at most one ::
  const groups = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [head = '', tail] = groups.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const all = tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  const mapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return mapped ? all.slice(6).join(':') : `${all.slice(0, 4).join(':')}::/64`
}
