/** The way to a channel's inbound process: what people write to, and what a phone opens to send a code there. */
import { findChannel } from '@courier-fleet/channels'
import { keys, type Redis } from '@courier-fleet/store'
import encodeQR from 'qr'

export interface EnrolmentWay {
  readonly to: string
  readonly url: string
  /** the URL as an SVG picture */
  readonly qr: string
}

/** As the inbound process of the channel says when it starts; it stays known while that is down. @returns what it was before */
export async function putInboundAddress(redis: Redis, channel: string, address: string): Promise<string | null> {
  const before = await redis.hget(keys.inboundAddresses, channel)
  if (before !== address) await redis.hset(keys.inboundAddresses, channel, address)
  return before
}

/** For any code. @returns undefined where nothing comes in on the channel, or its inbound process has never run */
export async function enrolmentWays(
  redis: Redis,
  channel: string,
): Promise<{ readonly to: string; urlOf(code: string): string } | undefined> {
  const url = findChannel(channel)?.inbound?.enrolmentUrl
  const to = url && (await redis.hget(keys.inboundAddresses, channel))
  return url && to ? { to, urlOf: (code) => url(to, code) } : undefined
}

/** For one code. @returns undefined as above */
export async function enrolmentWay(redis: Redis, channel: string, code: string): Promise<EnrolmentWay | undefined> {
  const ways = await enrolmentWays(redis, channel)
  if (!ways) return undefined
  const url = ways.urlOf(code)
  return { to: ways.to, url, qr: qrOf(url) }
}

export const qrOf = (text: string) => encodeQR(text, 'svg', { ecc: 'medium', border: 4 })
