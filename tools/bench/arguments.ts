/** `npm run bench -- <case|all> [--json] [--runs 5] [--scale 1]` */
import { parseArgs } from 'node:util'

export interface Arguments {
  readonly cases: readonly string[]
  readonly json: boolean
  readonly runs: number
  /** sizes times this: below 1 to try a case out */
  readonly scale: number
}

export class UsageError extends Error {}

/** @throws UsageError naming what is wrong and what there is */
export function readArguments(given: readonly string[], known: readonly string[]): Arguments {
  const usage = `usage: npm run bench -- <case|all> [--json] [--runs 5] [--scale 1]\ncases: ${known.join(', ')}`
  const refuse = (why: string) => new UsageError(`${why}\n${usage}`)
  const { positionals, values } = parse(given, refuse)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw refuse('one case, or all')
  if (name !== 'all' && !known.includes(name)) throw refuse(`there is no case "${name}"`)
  if (!/^[1-9]\d{0,2}$/.test(values.runs)) throw refuse('--runs is a whole number from 1 to 999')
  const scale = Number(values.scale)
  if (!(scale > 0 && scale <= 1)) throw refuse('--scale is above 0 and at most 1')
  return { cases: name === 'all' ? known : [name], json: values.json, runs: Number(values.runs), scale }
}

function parse(given: readonly string[], refuse: (why: string) => Error) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        runs: { type: 'string', default: '5' },
        scale: { type: 'string', default: '1' },
      },
    })
  } catch (error) {
    throw refuse((error as Error).message)
  }
}
