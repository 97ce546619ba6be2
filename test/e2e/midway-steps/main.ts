/** `npm run measure -- steps`: what is done stands in measure.ts. Exits with 1 where anything does not hold. */
import { measureSteps } from './measure.ts'

const troubles = await measureSteps((text) => console.log(text))
process.exitCode = troubles.length === 0 ? 0 : 1
