/** Sums a CPU profile up by where the code comes from. */

const idle = new Set(['(idle)', '(root)'])
/** done in native code, whose frames name no file */
const cryptoFunctions = /^(update|digest|final|hash|Hash|Hmac|Cipheriv|randomFillSync|oneShotDigest)$/

/**
 * @param {import('node:inspector').Profiler.Profile} profile
 * @returns {{ origin: string, ms: number }[]} time on the CPU, most first
 */
export function sumByOrigin({ nodes, samples, timeDeltas }) {
  const origins = new Map(nodes.map(({ id, callFrame }) => [id, originOf(callFrame)]))
  const sums = new Map()
  for (const [index, id] of (samples ?? []).entries()) {
    const origin = origins.get(id)
    if (origin !== undefined) sums.set(origin, (sums.get(origin) ?? 0) + (timeDeltas?.[index] ?? 0) / 1000)
  }
  return [...sums].map(([origin, ms]) => ({ origin, ms })).sort((a, b) => b.ms - a.ms)
}

/** @param {{ url: string, functionName: string }} frame */
function originOf({ url, functionName }) {
  if (idle.has(functionName)) return undefined
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'system calls'
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1]
  if (library === '@cryptography/aes') return 'crypto'
  if (library) return library
  const own = /\/packages\/([^/]+)\//.exec(url)?.[1]
  if (own) return `own code: ${own}`
  if (/^node:(internal\/)?crypto/.test(url) || (url === '' && cryptoFunctions.test(functionName))) return 'crypto'
  return 'node'
}
