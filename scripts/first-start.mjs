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
 * Loads the demo university through the public API when there is nobody in the directory yet. Names come before the people: an
 * import leaves the names of groups as they are, and whoever is cut off between the two begins again with both.
 * @param {{ call: ReturnType<typeof createCall>, folder: string, say: (text: string) => void,
 *   onProgress: (done: number) => void }} options
 */
export async function importDemo({ call, folder, say, onProgress }) {
  const { people } = await (await call('/v1/people?limit=1')).json()
  if (people.length > 0) return
  await nameDemo({ call, file: join(folder, 'names.json') })
  const file = join(folder, 'roster.csv')
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

/**
 * The groups, cohorts and topics of the demo as people call them, still without anybody in them.
 * @param {{ call: ReturnType<typeof createCall>, file: string }} options
 */
export async function nameDemo({ call, file }) {
  const { groups, cohorts, topics } = JSON.parse(readFileSync(file, 'utf8'))
  const put = (path, body) =>
    call(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  for (const [id, name] of Object.entries(groups)) await put(`/v1/groups/${id}`, { name, owners: [] })
  for (const [id, name] of Object.entries(cohorts)) await put(`/v1/cohorts/${id}`, { name, owners: [], groups: [] })
  for (const [id, topic] of Object.entries(topics)) await put(`/v1/topics/${id}`, topic)
}

/** A group one may try to write to: that of the README, or any; undefined when there is none. */
export async function anyGroup(call) {
  const { groups } = await (await call('/v1/groups')).json()
  const inhabited = groups.filter(({ size }) => size > 0)
  return (inhabited.find(({ id }) => id === 'ivt-102') ?? inhabited[0])?.id
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
