/**
 * `npm run sizing -- --people 100000 --peak 100`: how many processes, how much Redis. Computed from what `npm run bench` has measured
 * (tools/bench/results.json) and from shares that are choices; docs/sizing.md says which is which.
 */
import { readFileSync } from 'node:fs'
import { readCosts } from './sizing/costs.mjs'
import { sizeOf } from './sizing/size.mjs'
import { sizeText } from './sizing/size-text.mjs'
import { readWish } from './sizing/wish.mjs'

const results = new URL('../tools/bench/results.json', import.meta.url)

try {
  const { wish, json } = readWish(process.argv.slice(2))
  const size = sizeOf(readCosts(JSON.parse(readFileSync(results, 'utf8'))), wish)
  console.log(json ? JSON.stringify({ wish, ...size }, null, 2) : sizeText(wish, size))
} catch (error) {
  console.error(`sizing: ${error.message}`)
  process.exitCode = 2
}
