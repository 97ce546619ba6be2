/** The channels as a list, and one of them by its name. */
import type { PeopleClass, ReceiptView, Source } from '@courier-fleet/api-types'
import { classOfState, firstClass } from '@courier-fleet/api-types/people-classes'
import type { ChannelDescriptor, Told } from './descriptor.ts'
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

/** Where a number holds several channels: a bit for each. */
export const bitOfChannel = (name: string): number => 1 << channelOf(name).number
export const channelsInBits = (bits: number): readonly ChannelName[] =>
  channels.filter(({ number }) => (bits & (1 << number)) !== 0).map(({ name }) => name)

/** of one person on one channel, where they may have several */
export const mostContacts = 3

/** Whether somebody may have more than one contact there. */
export const mayHaveSeveral = (name: string): boolean => findChannel(name)?.mayHaveSeveral ?? false

/** What may be shown of an address of this channel. */
export const shownAddress = (name: string, address: string): string =>
  findChannel(name)?.address.shown?.(address) ?? address

/** Those whose addresses people can write down: in a roster, and to say who they are. */
export const writtenChannels = channels.flatMap((channel) => {
  const { column } = channel.address
  return column === undefined ? [] : [{ ...channel, column }]
})

/** What a history says of a message that came in over this channel. */
export const sourceOf = (name: string): Source => findChannel(name)?.inbound?.source ?? 'api'

/** @throws Error in one line, naming those there are */
export function channelOf(name: string): ChannelDescriptor {
  const channel = findChannel(name)
  if (!channel) throw new Error(`no channel "${name}": there are ${channelNames.join(', ')}`)
  return channel
}

const tellsOf = (leg: string): readonly string[] | undefined => {
  const [name = leg] = leg.split('~')
  return findChannel(name)?.abilities.tells
}

/** Whether its provider can be set up to tell who has read. */
export const mayTellRead = (name: string): boolean => findChannel(name)?.abilities.mayTellRead ?? false

/**
 * What this channel tells of a message. That somebody has read it is told of some only: of nobody it is waited for, as it is for an arrival.
 * @param tellRead channels whose providers are set up to tell who has read
 */
export function toldBy(name: string, tellRead: readonly string[]): readonly Told[] | undefined {
  const tells = findChannel(name)?.abilities.tells
  return tells && mayTellRead(name) && tellRead.includes(name) ? [...tells, 'read'] : tells
}

/** Whether this channel says of a message that it has arrived. */
export const tellsArrival = (leg: string): boolean =>
  tellsOf(leg)?.some((what) => what === 'delivered' || what === 'read') ?? false

/**
 * Whether this channel may tell more of a message than that it was taken. Of a channel that the fleet does not know (any
 * more) nobody can say that nothing more will come.
 */
export function tellsMore(leg: string): boolean {
  return tellsOf(leg)?.some((what) => what !== 'sent' && what !== 'taken') ?? true
}

/** The class of a person, by their receipts. */
export function classOf({ channels, toldByVoice }: Pick<ReceiptView, 'channels' | 'toldByVoice'>): PeopleClass {
  const found = Object.entries(channels).map(([leg, { state }]) => classOfState(state, tellsMore(leg)))
  return firstClass(toldByVoice && found.length > 0 ? [...found, 'toldByVoice'] : found)
}
