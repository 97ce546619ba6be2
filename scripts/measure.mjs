/**
 * `npm run measure -- week`: what a week of messages leaves in the memory of a running fleet (npm start). What is done stands
 * at the top of tools/measure/week.mjs.
 * `npm run measure -- frames`: how fast the web app shows the replay of a message to very many (test/browser/frames.ts), and how soon it answers
 * whoever looks at one that was really sent (test/browser/interactions.ts).
 * `npm run measure -- journeys`: how long it takes who has never done it, from a clone to a message, and at the web app (test/browser/journeys.ts).
 * `npm run measure -- corrections`: whether 10 000 people have the new text when a message is corrected while it is sent, and nothing when it is
 * taken back (test/e2e/ten-thousand.ts).
 * `npm run measure -- steps`: whether of 10 000 people nobody is sent the second step of a message who was known to have read the first, and everybody else is
 * (test/e2e/midway-steps/measure.ts).
 * `npm run measure -- coupon`: whether reminders of coupons go out in time, once and, where they are near, as one (test/e2e/coupon/measure.ts).
 * `npm run measure -- upgrade`: whether 50 000 people have it exactly once when every process is replaced while they are sent to (test/e2e/upgraded-midway.ts).
 * `npm run measure -- reshard`: the same when masters of a cluster give their slots away (test/e2e/resharded-midway.ts).
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fleetFile } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'

const usage = `usage: npm run measure -- week [--histories 200000] [--minutes 5]
       npm run measure -- frames | journeys | corrections | steps
       npm run measure -- upgrade | reshard [--people 50000]
       npm run measure -- coupon [--people 60000] [--reminders 200000] [--seed 1] [--seconds 60]`

const { positionals, values } = readArguments()
const what = positionals.join()
values.people ??= what === 'coupon' ? '60000' : '50000'
for (const [name, text] of Object.entries(values))
  if (!(Number(text) > 0)) fail(`--${name} must be a number above 0\n${usage}`)
for (const name of ['people', 'reminders', 'seed', 'seconds'])
  if (!Number.isInteger(Number(values[name]))) fail(`--${name} must be a whole number\n${usage}`)
if (Number(values.seconds) > 3600) fail(`--seconds is 3600 at most\n${usage}`)
const measures = {
  week: measureTheWeek,
  frames: () => runInBrowser('frames.ts', 'interactions.ts'),
  journeys: () => runInBrowser('journeys.ts'),
  corrections: () => runOnFleet('ten-thousand.ts'),
  steps: () => runOnFleet('midway-steps/main.ts'),
  coupon: () => runOnFleet('coupon/main.ts', ['people', 'reminders', 'seed', 'seconds']),
  upgrade: () => runOnFleet('upgraded-midway.ts', ['people']),
  reshard: () => runOnFleet('resharded-midway.ts', ['people']),
}
if (!Object.hasOwn(measures, what)) fail(usage)
await installDependencies((text) => console.error(text))
await build((text) => console.error(text))
const { register } = await import('tsx/esm/api') // only now: before npm ci it is not there
register()
// its Redis ends with it
process.exit(await measures[what]())

/** All of them, also where one misses what is wanted. */
async function runInBrowser(...programs) {
  const { runBrowserPrograms } = await import('./browser-programs.mjs')
  const codes = []
  for (const program of programs) codes.push(await runBrowserPrograms([program], (text) => console.log(text)))
  return Math.max(...codes)
}

/** With a fleet of its own, told these options. */
async function runOnFleet(program, options = []) {
  const { runTestPrograms } = await import('./test-programs.mjs')
  const args = options.map((name) => `--${name}=${values[name]}`)
  return await runTestPrograms([`e2e/${program}`], {}, (text) => console.log(text), args)
}

async function measureTheWeek() {
  const { createRunningFleet } = await import('../tools/measure/running-fleet.mjs')
  const { measureWeek } = await import('../tools/measure/week.mjs')
  return (await measureWeek(createRunningFleet(readFleet()), values)) ? 0 : 1
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        histories: { type: 'string', default: '200000' },
        minutes: { type: 'string', default: '5' },
        people: { type: 'string' },
        reminders: { type: 'string', default: '200000' },
        seed: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '60' },
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
