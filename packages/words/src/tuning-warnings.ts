/** What is to be known before a channel works by other settings: what its provider allows, and what its processes never exceed. */
import type { ChannelTuning, ChannelView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Language } from './catalogue.ts'
import { channelName } from './outcome-words.ts'

type Wanted = { readonly [Name in keyof ChannelTuning]?: ChannelTuning[Name] | null }

const said = {
  ru: {
    allowed: (channel: string, rate: number, isCalls: boolean) =>
      `${channel} разрешает не больше ${rate} ${isCalls ? 'обращений' : 'сообщений'} в секунду: сверх этого попросит слать реже, и ждать будут все.`,
    window: (most: number) =>
      `Больше ${most} человек, о которых ещё нет ответа, у одного процесса не будет: так он запущен.`,
  },
  en: {
    allowed: (channel: string, rate: number, isCalls: boolean) =>
      `${channel} allows at most ${rate} ${isCalls ? 'calls' : 'messages'} a second: beyond that it asks to be sent less, and everybody waits.`,
    window: (most: number) => `No process will have more than ${most} people without an answer yet: so it was started.`,
  },
} as const

/** @param wanted null is back to what its couriers were started with @returns a sentence of each; none where nothing is known against it */
export function tuningWarnings(language: Language, { channel, couriers }: ChannelView, wanted: Wanted): string[] {
  const { allowedPerSecond, countsCalls } = findChannel(channel)?.settings ?? {}
  const { perSecond, window } = wanted
  const warnings: string[] = []
  if (allowedPerSecond !== undefined && (perSecond === 'off' || (perSecond ?? 0) > allowedPerSecond))
    warnings.push(said[language].allowed(channelName(language, channel), allowedPerSecond, countsCalls !== undefined))
  const most = Math.max(...couriers.map(({ startedWith, pace }) => (startedWith ?? pace)?.window ?? 0))
  if (couriers.length > 0 && most > 0 && (window ?? 0) > most) warnings.push(said[language].window(most))
  return warnings
}
