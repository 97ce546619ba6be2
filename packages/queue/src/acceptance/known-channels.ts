import { nearest, Problem } from '@courier-fleet/api-types'
import { channelNames, findChannel } from '@courier-fleet/channels'

/** A channel that the fleet has no courier for. @throws Problem 422 `unknown-channel`, naming those there are and the one that was meant */
export function requireKnownChannels(
  names: readonly string[] = [],
  fieldOf = (_name: string, at: number) => String(at),
  under = 'channels',
): void {
  const index = names.findIndex((name) => findChannel(name) === undefined)
  const name = names[index]
  if (name === undefined) return
  const meant = nearest(name, channelNames)
  const guess = meant === undefined ? '.' : `; did you mean ${meant}?`
  const detail = `there is no channel "${name}"${guess} There are ${channelNames.join(', ')}`
  throw new Problem(422, 'unknown-channel', detail, `${under}.${fieldOf(name, index)}`)
}
