/** The channels as a list, and one of them by its name. */
import type { Source } from '@courier-fleet/api-types'
import type { ChannelDescriptor } from './descriptor.ts'
import * as registry from './registry.ts'

type Registry = typeof registry
export type ChannelName = keyof Registry

/** by name, in alphabetical order */
export const channels: readonly (ChannelDescriptor & { readonly name: ChannelName })[] = Object.values(registry)
export const channelNames: readonly ChannelName[] = channels.map(({ name }) => name)

/** Where a channel's stand-in listens, and what its clients need to know. */
export type EndpointOf<Channel extends ChannelName> = Parameters<Registry[Channel]['settings']['sandbox']>[0]
export type Endpoints = { readonly [Channel in ChannelName]: EndpointOf<Channel> }

/** The limits a channel's stand-in has. */
export type LimitOf<Channel extends ChannelName> = keyof Registry[Channel]['sandboxLimits']

const byName = new Map<string, ChannelDescriptor>(channels.map((channel) => [channel.name, channel]))

/** undefined when the fleet has no such channel (any more): a contact may outlive its channel */
export const findChannel = (name: string): ChannelDescriptor | undefined => byName.get(name)

/** What a history says of a message that came in over this channel. */
export const sourceOf = (name: string): Source => findChannel(name)?.inbound?.source ?? 'api'

/** @throws Error in one line, naming those there are */
export function channelOf(name: string): ChannelDescriptor {
  const channel = findChannel(name)
  if (!channel) throw new Error(`no channel "${name}": there are ${channelNames.join(', ')}`)
  return channel
}
