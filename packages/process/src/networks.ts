/** Addresses and networks in settings. */
import { isIP } from 'node:net'

export interface Network {
  readonly network: string
  /** of bits; of a single address all of them */
  readonly prefix: number
}

/** @returns undefined where it is neither an address such as 10.0.0.7 nor a network such as 10.0.0.0/8 */
export function networkOf(text: string): Network | undefined {
  const [network = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(network)] as number
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  return rest.length > 0 || length < 0 || length > bits ? undefined : { network, prefix: length }
}
