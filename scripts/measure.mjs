/**
 * `npm run measure -- fanout|punctuality|week`: figures of a running fleet (npm start), through the public API and the
 * sandbox. What each measures stands at the top of its file in measure/.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createRunningFleet } from '../tools/measure/running-fleet.mjs'
import { fleetFile } from './data-dir.mjs'

const usage = `usage: npm run measure -- fanout [--people 100000]
                          punctuality [--pending 1000000] [--messages 200]
                          week [--histories 200000] [--minutes 5]`

const cases = {
  fanout: () => import('../tools/measure/fanout.mjs'),
  punctuality: () => import('../tools/measure/punctuality.mjs'),
  week: () => import('../tools/measure/week.mjs'),
}
const { positionals, values } = readArguments()
for (const [name, text] of Object.entries(values))
  if (!(Number(text) > 0)) fail(`--${name} must be a number above 0\n${usage}`)
const load = cases[positionals[0]] ?? fail(usage)
const { measure } = await load()
process.exitCode = (await measure(createRunningFleet(readFleet()), values)) ? 0 : 1

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        people: { type: 'string', default: '100000' },
        pending: { type: 'string', default: '1000000' },
        messages: { type: 'string', default: '200' },
        histories: { type: 'string', default: '200000' },
        minutes: { type: 'string', default: '5' },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n${usage}`)
  }
}

function readFleet() {
  try {
    return JSON.parse(readFileSync(fleetFile, 'utf8'))
  } catch {
    return fail(`no fleet is running here (${fleetFile}): start one with npm start`)
  }
}

function fail(text) {
  console.error(text)
  process.exit(2)
}
