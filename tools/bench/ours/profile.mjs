/** Sums a CPU profile up by where the code comes from: by the source map, where it was bundled. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** the last is the profiler itself, being started and stopped */
const notWork = new Set(['(idle)', '(root)', 'dispatch'])
/** done in native code, whose frames name no file */
const cryptoFunctions = /^(update|digest|final|hash|Hash|Hmac|Cipheriv|randomFillSync|oneShotDigest)$/

/**
 * As the inspector gives it, times in µs.
 * @typedef {{ nodes: { id: number, callFrame: { url: string, functionName: string, lineNumber?: number,
 *   columnNumber?: number } }[], samples?: number[],
 *   timeDeltas?: number[] }} Profile
 */

/**
 * @param {Profile} profile
 * @returns {{ origin: string, ms: number }[]} time on the CPU, most first
 */
export function sumByOrigin(profile) {
  return sumBy(profile, originOf).map(([origin, ms]) => ({ origin, ms }))
}

/**
 * Without what they call.
 * @param {Profile} profile
 * @returns {{ name: string, ms: number }[]} most first
 */
export function busiestFunctions(profile, most = 12) {
  const nameOf = (frame) => originOf(frame) && placeOf(sourceOf(frame))
  return sumBy(profile, nameOf)
    .slice(0, most)
    .map(([name, ms]) => ({ name, ms }))
}

/** @returns {[string, number][]} */
function sumBy({ nodes, samples = [], timeDeltas = [] }, nameOf) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const sums = new Map()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id)
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000)
  }
  return [...sums].sort((a, b) => b[1] - a[1])
}

/** `name (file:line)` */
function placeOf({ url, functionName, lineNumber = 0 }) {
  const name = functionName || '(anonymous)'
  return url === '' ? name : `${name} (${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1})`
}

/** Read when a profile is summed up: while a program runs they would cost it tens of megabytes. By the URL of the file; undefined where there is none. */
const maps = new Map()

function mapOf(url) {
  if (!maps.has(url)) {
    const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  }
  return maps.get(url)
}

/** @returns the frame as it stands in its source; as it is where there is no map of it */
function sourceOf(frame) {
  const { url, lineNumber = 0, columnNumber = 0 } = frame
  const found = mapOf(url)?.findEntry(lineNumber, columnNumber)
  if (!found?.originalSource) return frame
  return { ...frame, url: found.originalSource, lineNumber: found.originalLine }
}

/** @param {{ url: string, functionName: string }} frame */
function originOf(frame) {
  const { url, functionName } = sourceOf(frame)
  if (url === '' && notWork.has(functionName)) return undefined
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'system calls'
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1]
  if (library === '@cryptography/aes') return 'crypto'
  if (library) return library
  const own = /\/packages\/([^/]+)\//.exec(url)?.[1]
  if (own) return `own code: ${own}`
  if (/^node:(internal\/)?crypto/.test(url) || (url === '' && cryptoFunctions.test(functionName))) return 'crypto'
  const part = /^node:(?:internal\/)?([a-z_]+)/.exec(url)?.[1]
  return part ? `node: ${part}` : `native: ${functionName || '(anonymous)'}`
}
