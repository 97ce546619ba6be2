/** What a new fleet needs before anyone can send: an API key, and somebody to send to. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/**
 * An API key, the administrator's unless said otherwise, kept in the data folder (mode 0600); a new one when it is missing or
 * no longer known.
 * @param {object} options
 * @param {import('@courier-fleet/directory').ApiKeys} options.apiKeys
 * @param {string} options.dataDir
 * @param {(text: string) => void} options.say
 * @param {string} [options.file]
 * @param {Omit<Parameters<import('@courier-fleet/directory').ApiKeys['create']>[0], 'label'>} [options.key]
 */
export async function ensureApiKey({
  apiKeys,
  dataDir,
  say,
  file = 'api-key',
  key = { owner: 'admin', role: 'admin' },
}) {
  const path = join(dataDir, file)
  const kept = readIfThere(path)?.trim()
  if (kept && (await apiKeys.authenticate(kept))) return kept
  const { apiKey } = await apiKeys.create({ ...key, label: 'npm start' })
  writeFileSync(path, `${apiKey}\n`, { mode: 0o600 })
  say(`API key of ${key.owner}: created, kept in ${path}`)
  return apiKey
}

/**
 * Loads the demo roster through the public import when there is nobody in the directory yet.
 * @param {{ call: ReturnType<typeof createCall>, file: string, say: (text: string) => void,
 *   onProgress: (done: number) => void }} options
 */
export async function importDemo({ call, file, say, onProgress }) {
  const { people } = await (await call('/v1/people?limit=1')).json()
  if (people.length > 0) return
  const response = await call('/v1/imports', {
    method: 'POST',
    headers: { 'content-type': 'text/csv', accept: 'application/x-ndjson' },
    body: readFileSync(file),
  })
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    const { done, report, problem } = JSON.parse(line)
    if (done !== undefined) onProgress(done)
    if (problem) throw new Error(`the demo roster could not be imported: ${problem.detail}`)
    if (report) say(`Demo roster: ${report.created} people, ${report.rejected} lines rejected (${file})`)
  }
}

/** A group one may try to write to; undefined when there is none. */
export async function anyGroup(call) {
  const { groups } = await (await call('/v1/groups')).json()
  return groups.find(({ size }) => size > 0)?.id
}

/** Calls of the API with this key, from the path on. */
export function createCall({ apiUrl, apiKey }) {
  return async (path, init = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, ...init.headers }
    const response = await fetch(`${apiUrl}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    return response
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
