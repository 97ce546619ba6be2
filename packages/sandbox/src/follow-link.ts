/** What a phone writes whose person has followed a link of the service to its bot, community or number. */
import type { ChannelName } from '@courier-fleet/channels'
import type { IncomingMessage } from './stand-in.ts'

type Written = Pick<IncomingMessage, 'text' | 'ref'>

/** By channel: what leads to `to`, and what is written then. */
const links: Partial<Record<ChannelName, (url: URL, to: string) => Written | undefined>> = {
  // the person presses "Start"
  telegram: ({ origin, pathname, searchParams }, to) =>
    origin === 'https://t.me' && pathname === `/${to}`
      ? { text: `/start ${searchParams.get('start') ?? ''}`.trim() }
      : undefined,
  // the same, and the community is told `ref` beside it
  vk({ origin, pathname, searchParams }, to) {
    const ref = searchParams.get('ref')
    return origin === 'https://vk.me' && pathname === `/${to}` ? { text: 'Начать', ...(ref ? { ref } : {}) } : undefined
  },
  // the person sends what stands there already
  sms: ({ protocol, pathname, searchParams }, to) =>
    protocol === 'sms:' && pathname === to ? { text: searchParams.get('body') ?? '' } : undefined,
}

/** @returns undefined for a link that leads elsewhere */
export function followLink(channel: ChannelName, link: string, to: string | undefined): Written | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined
  return url && to !== undefined ? links[channel]?.(url, to) : undefined
}
