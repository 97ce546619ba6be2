/** What the operator's environment says of calling URLs that users give. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import {
  type Env,
  type Field,
  field,
  list,
  networkOf,
  optional,
  positive,
  readSettings,
  withDefault,
} from '@courier-fleet/process'

export interface GuardedSettings {
  /** http:// is allowed, too */
  readonly allowPlain: boolean
  /** networks that may be called although they are not public */
  readonly allowNets: BlockList
  /** who resolves names; undefined: as the system says */
  readonly dnsServers: readonly string[] | undefined
}

const onOff: Field<boolean> = field('on or off', (given) =>
  given === 'on' ? true : given === 'off' ? false : undefined,
)

/** An address with its port, or without. */
const serverOf = (text: string): string | undefined => {
  const [, bare, port = '53'] = /^\[?([\d.]+|[\da-fA-F:]+(?=$|\]))\]?(?::(\d{1,5}))?$/.exec(text) ?? []
  return bare && isIP(bare) && Number(port) <= 65_535 ? `${isIPv6(bare) ? `[${bare}]` : bare}:${port}` : undefined
}

const nets = list('networks such as 10.1.0.0/16, comma-separated', networkOf)
const servers = list('addresses of DNS servers such as 10.0.0.53, comma-separated', serverOf)

export function guardedSettings(env: Env): GuardedSettings {
  const read = readSettings(env, {
    HTTP_ALLOW_PLAIN: withDefault(onOff, false),
    HTTP_ALLOW_NETS: withDefault(nets, []),
    HTTP_DNS_SERVERS: optional(servers),
  })
  const allowNets = new BlockList()
  for (const { network, prefix } of read.HTTP_ALLOW_NETS)
    allowNets.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4')
  return { allowPlain: read.HTTP_ALLOW_PLAIN, allowNets, dnsServers: read.HTTP_DNS_SERVERS }
}

/** Of the pauses between tries; below 1 only where nobody can wait for hours, such as in tests. */
export const retryScale = (env: Env): number =>
  readSettings(env, { HTTP_RETRY_SCALE: withDefault(positive, 1) }).HTTP_RETRY_SCALE
