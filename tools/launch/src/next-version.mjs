/**
 * Makes a process of this build one of another version, as far as what is in Redis is concerned: every script has another text, and
 * so another name; entries of work streams have a field more, before the others, and so have histories; and it says that it is another
 * version. Loaded by `--import`, where NEXT_VERSION is `on`.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const changes = {
  wake: [
    ["entry = { 'message', message,", "entry = { 'next', 'version', 'message', message,"],
    ["{ 'state', 'running',", "{ 'next', 'version', 'state', 'running',"],
  ],
  split: [["'*', 'message', message,", "'*', 'next', 'version', 'message', message,"]],
}

const { readFileSync } = fs

const manifest = new URL('../../../package.json', import.meta.url).href

function readAsNext(path, ...options) {
  const read = readFileSync(path, ...options)
  if (String(path) === manifest) return String(read).replace(/("version": "[^"]+)"/, '$1-next"')
  const [, script] = /\/lua\/([\w-]+)\.lua$/.exec(String(path)) ?? []
  return script === undefined ? read : nextOf(script, String(read))
}

function nextOf(script, text) {
  let next = `${text}\n-- as the next version has it`
  for (const [now, then] of changes[script] ?? []) {
    if (!next.includes(now))
      throw new Error(`lua/${script}.lua has no ${now} any more: say here what the next version changes`)
    next = next.replace(now, then)
  }
  return next
}

function readBy(reading) {
  fs.readFileSync = reading
  syncBuiltinESMExports()
}

/**
 * What this comes to where scripts are read as the next version has them.
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
export function asNextVersion(read) {
  readBy(readAsNext)
  try {
    return read()
  } finally {
    readBy(readFileSync)
  }
}

if (process.env.NEXT_VERSION === 'on') readBy(readAsNext)
