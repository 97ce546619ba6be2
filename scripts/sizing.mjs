/**
 * `npm run sizing -- --people 100000 --peak 100`: how many processes, how much Redis; `--cores 2,4,8`: what a machine gives. Computed from what `npm run bench` has measured
 * (tools/bench/results.json) and from shares that are choices; docs/sizing.md says which is which.
 */
import { readFileSync } from 'node:fs'
import { readCosts, readWorks } from './sizing/costs.mjs'
import { machinesOf, machinesTable } from './sizing/machine.mjs'
import { sizeOf } from './sizing/size.mjs'
import { sizeText } from './sizing/size-text.mjs'
import { readWish } from './sizing/wish.mjs'

const results = new URL('../tools/bench/results.json', import.meta.url)

try {
  const { wish, cores, json } = readWish(process.argv.slice(2))
  const measured = JSON.parse(readFileSync(results, 'utf8'))
  if (cores) {
    const machines = machinesOf(readWorks(measured), cores)
    console.log(json ? JSON.stringify({ cores, machines }, null, 2) : machinesTable(machines, cores))
  } else {
    const size = sizeOf(readCosts(measured), wish)
    console.log(json ? JSON.stringify({ wish, ...size }, null, 2) : sizeText(wish, size))
  }
} catch (error) {
  console.error(`sizing: ${error.message}`)
  process.exitCode = 2
}
