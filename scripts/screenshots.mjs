/** `npm run screenshots`: takes the pictures of docs/web anew, in a real browser, of a fleet of its own. */
import { runBrowserPrograms } from './browser-programs.mjs'

const say = (text) => console.log(text)
const code = await runBrowserPrograms(['screenshots.ts', 'phones-pictures.ts'], say)
if (code === 0) say('Screenshots: in docs and docs/web')
process.exit(code)
