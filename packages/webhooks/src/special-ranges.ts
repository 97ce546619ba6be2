/**
 * Addresses at which no stranger's system answers: the special-purpose registries of IANA, whole, also what they call globally
 * reachable (nobody's system lives in an anycast or a translation range), and what is reserved beside them.
 */

/** network, length of its prefix, what it is */
export type Range = readonly [network: string, prefix: number, what: string]

export const specialRanges4: readonly Range[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'a private network'],
  ['100.64.0.0', 10, 'shared address space'],
  ['127.0.0.0', 8, 'loopback'],
  // Azure answers machines of its own there
  ['168.63.129.16', 32, 'a service of the cloud itself'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'a private network'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relays'],
  ['192.168.0.0', 16, 'a private network'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

/** the first that holds counts */
export const specialRanges6: readonly Range[] = [
  ['::1', 128, 'loopback'],
  ['::', 128, 'unspecified'],
  ['::ffff:0:0', 96, 'an IPv4 address in IPv6'],
  ['::ffff:0:0:0', 96, 'an IPv4 address in IPv6'],
  ['::', 96, 'an IPv4 address in IPv6'],
  ['64:ff9b::', 96, 'NAT64'],
  ['64:ff9b:1::', 48, 'NAT64'],
  ['100::', 64, 'discard-only'],
  ['100:0:0:1::', 64, 'a dummy prefix'],
  ['2001::', 32, 'Teredo'],
  ['2001::', 23, 'protocol assignments'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'segment routing'],
  ['fc00::', 7, 'a private network'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
  // all that is given out is 2000::/3: what a registry names next year is refused today
  ['::', 3, 'reserved'],
  ['4000::', 2, 'reserved'],
  ['8000::', 1, 'reserved'],
]
