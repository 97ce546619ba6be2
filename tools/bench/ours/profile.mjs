/** Sums a CPU profile up by where the code comes from. */

/** the last is the profiler itself, being started and stopped */
const notWork = new Set(['(idle)', '(root)', 'dispatch'])
/** done in native code, whose frames name no file */
const cryptoFunctions = /^(update|digest|final|hash|Hash|Hmac|Cipheriv|randomFillSync|oneShotDigest)$/

/**
 * As the inspector gives it, times in µs.
 * @typedef {{ nodes: { id: number, callFrame: { url: string, functionName: string, lineNumber?: number } }[], samples?: number[],
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
  const nameOf = (frame) => originOf(frame) && placeOf(frame)
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

/** @param {{ url: string, functionName: string }} frame */
function originOf({ url, functionName }) {
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
