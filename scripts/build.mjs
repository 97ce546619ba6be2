/** `npm run build`: all that `npm start` would build before it starts. */
import { build } from './prepare.mjs'

await build((text) => console.log(text))
