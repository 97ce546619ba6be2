/** What people have switched off of the messages there are: a type everywhere, or on one channel. */
import { type FleetSettings, serviceType, typeOf, type Wishes } from '@courier-fleet/api-types'

/**
 * The entries of a person's wishes that keep a message of this type off this channel. None where people cannot switch it off: a type
 * that is mandatory now, whatever it was when they did, and the fleet's own words.
 */
export function switchesOf(
  channel: string,
  type: string | undefined,
  { types }: Pick<FleetSettings, 'types'>,
): readonly string[] {
  const { id, optOut } = typeOf(types, type)
  return optOut === 'mandatory' ? [] : [id, `${id}:${channel}`]
}

export const isSwitchedOff = (wishes: Pick<Wishes, 'off'> | undefined, switches: readonly string[]): boolean =>
  wishes?.off.some((entry) => switches.includes(entry)) ?? false

/** What holds for a message of this type on this channel: the fleet's own words, such as codes that were asked for, need no agreement. */
export const termsOf = (
  channel: string,
  type: string | undefined,
  settings: Pick<FleetSettings, 'types' | 'consent'>,
) => ({
  switches: switchesOf(channel, type, settings),
  needsAgreement: settings.consent === 'required' && type !== serviceType,
})
