/** `npm run measure -- coupon`: what is done stands in measure.ts. Exits with 1 where anything does not hold. */
import { parseArgs } from 'node:util'
import { measureCoupons } from './measure.ts'

const option = { type: 'string' } as const
const { values } = parseArgs({ options: { people: option, reminders: option, seed: option, seconds: option } })
const { people, reminders, seed, seconds } = values
const { troubles } = await measureCoupons(
  { people: Number(people), reminders: Number(reminders), seed: Number(seed), seconds: Number(seconds) },
  (text) => console.log(text),
)
process.exitCode = troubles.length === 0 ? 0 : 1
