/** What processes need that call URLs of users, where the fleet and whoever it calls are on one machine. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** With the sandbox: its receiver, and servers that somebody tries out on this machine, are no public addresses. */
export const sandboxCalls = Object.freeze({ HTTP_ALLOW_PLAIN: 'on', HTTP_ALLOW_NETS: '127.0.0.0/8,::1/128' })

/** Made once and kept in the data folder (mode 0600): with another one no stored secret could be read. */
export function ensureFleetSecret(dataDir) {
  const path = join(dataDir, 'fleet-secret')
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}
