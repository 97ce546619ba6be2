/** `npm run screenshots`: takes the pictures of docs anew, in a real browser, of fleets of their own. */
import { runBrowserPrograms } from './browser-programs.mjs'

const say = (text) => console.log(text)
const code = await runBrowserPrograms(['screenshots.ts', 'rules-pictures.ts', 'phones-pictures.ts'], say)
if (code === 0) say('Screenshots: in docs, docs/web and docs/rules')
process.exit(code)
