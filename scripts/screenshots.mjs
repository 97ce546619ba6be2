/**
 * `npm run screenshots`: takes the pictures of docs anew, in a real browser, of fleets of their own; `-- kill-picture` one of these programs alone.
 * `-- exam-pictures --after 30`: the SMS of its notice follow after so many seconds, and not after two minutes.
 */
import { parseArgs } from 'node:util'
import { runBrowserPrograms } from './browser-programs.mjs'

const programs = [
  'screenshots',
  'rules-pictures',
  'phones-pictures',
  'kill-picture',
  'exam-pictures',
  'fail-over-pictures',
]
/** as short as the API allows */
const shortestSeconds = 30
const { wanted, after } = readArguments()
const say = (text) => console.log(text)
const taken = programs.filter((name) => wanted.length === 0 || wanted.includes(name))
const code = await runBrowserPrograms(
  taken.map((name) => `${name}.ts`),
  say,
  [`--after=${after}`],
)
if (code === 0) say('Screenshots: in docs, docs/web, docs/rules and docs/exam')
process.exit(code)

function readArguments() {
  try {
    const options = { after: { type: 'string', default: '120' } }
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const unknown = positionals.find((name) => !programs.includes(name))
    if (unknown !== undefined) throw new Error(`${unknown}: there is no such program`)
    if (!/^\d{1,4}$/.test(values.after) || Number(values.after) < shortestSeconds)
      throw new Error(`--after takes whole seconds, ${shortestSeconds} at least`)
    return { wanted: positionals, after: values.after }
  } catch (error) {
    console.error(`${error.message}\nusage: npm run screenshots [-- ${programs.join('|')} … [--after SECONDS]]`)
    return process.exit(2)
  }
}
