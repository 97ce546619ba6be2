import type { Words } from './texts/en.ts'

/** A channel that the page does not know is called as the API calls it. */
export const channelName = ({ channels }: Words, channel: string): string => channels[channel]?.name ?? channel
