/** What a new fleet needs before anyone can send: an API key, and somebody to send to. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The administrator's API key, kept in the data folder (mode 0600); a new one when it is missing or no longer known.
 * @param {{ apiKeys: import('@courier-fleet/directory').ApiKeys, dataDir: string, say: (text: string) => void }} options
 */
export async function ensureApiKey({ apiKeys, dataDir, say }) {
  const path = join(dataDir, 'api-key')
  const kept = readIfThere(path)?.trim()
  if (kept && (await apiKeys.authenticate(kept))) return kept
  const { apiKey } = await apiKeys.create({ owner: 'admin', role: 'admin', label: 'npm start' })
  writeFileSync(path, `${apiKey}\n`, { mode: 0o600 })
  say(`API key: created, kept in ${path}`)
  return apiKey
}

/** Loads the demo roster through the public import when there is nobody in the directory yet. */
export async function importDemo({ apiUrl, apiKey, file, say }) {
  const call = async (path, init = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, ...init.headers }
    const response = await fetch(`${apiUrl}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    return response.json()
  }
  const { people } = await call('/v1/people?limit=1')
  if (people.length > 0) return
  const report = await call('/v1/imports', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: readFileSync(file),
  })
  say(`Demo roster: ${report.created} people imported${report.rejected ? `, ${report.rejected} lines rejected` : ''}`)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
