/** Whose phones those of the demo roster are, for the sandbox's wall of phones. */
import { readFileSync } from 'node:fs'

const columns = { telegram: 'telegram', vk: 'vk', phone: 'sms' }

/**
 * Of every contact in the roster; what the sandbox knows of the phone beside that stays as it is.
 * @param {string} rosterFile one person a line, no quotes: the demo's, not just any CSV
 * @returns {{ channel: string, address: string, name: string }[]}
 */
export function phoneNames(rosterFile) {
  const [header, ...lines] = readFileSync(rosterFile, 'utf8').split('\n').filter(Boolean)
  const names = header.split(',')
  return lines.flatMap((line) => {
    const cells = line.split(',')
    const cell = (column) => cells[names.indexOf(column)] ?? ''
    return Object.entries(columns).flatMap(([column, channel]) => {
      const address = channel === 'sms' ? numberOf(cell(column)) : cell(column)
      return address === '' ? [] : [{ channel, address, name: cell('name') }]
    })
  })
}

/** +7 and ten digits, however it was written. */
function numberOf(text) {
  const digits = text.replace(/\D/g, '')
  return digits.length < 10 ? '' : `+7${digits.slice(-10)}`
}
