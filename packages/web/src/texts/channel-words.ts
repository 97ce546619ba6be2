import { type ChannelWords, channels } from '@courier-fleet/channels'

/** What the channels' descriptors say of themselves in a language, by channel. */
export const channelWords = (language: 'en' | 'ru'): Readonly<Record<string, ChannelWords | undefined>> =>
  Object.fromEntries(channels.map(({ name, words }) => [name, words[language]]))
