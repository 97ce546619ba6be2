/** Whose phones those of the demo roster are, for the sandbox's wall of phones. */
import { readFileSync } from 'node:fs'
import { writtenChannels } from '@courier-fleet/channels'
import { countryCode, normaliseAddress } from '@courier-fleet/directory'

/**
 * Of every contact in the roster; what the sandbox knows of the phone beside that stays as it is.
 * @param {string} rosterFile one person a line, no quotes: the demo's, not just any CSV
 * @returns {{ channel: import('@courier-fleet/channels').ChannelName, address: string, name: string, person: string }[]}
 */
export function phoneNames(rosterFile) {
  const [header, ...lines] = readFileSync(rosterFile, 'utf8').split('\n').filter(Boolean)
  const names = header.split(',')
  const country = countryCode('RU')
  return lines.flatMap((line) => {
    const cells = line.split(',')
    const cell = (column) => cells[names.indexOf(column)] ?? ''
    return writtenChannels.flatMap(({ name: channel, column }) => {
      const text = cell(column)
      if (text === '') return []
      return [{ channel, address: normaliseAddress(channel, text, country), name: cell('name'), person: cell('id') }]
    })
  })
}
