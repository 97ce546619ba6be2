/** The arguments of a command, by node:util's parseArgs, with errors that name what would have been right. */
import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** stands for the value in the help, e.g. SECONDS */
  readonly value?: string
  readonly about: string
  /** the only values it takes */
  readonly choices?: readonly string[]
}
export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : O['multiple'] extends true ? string[] : string
export type Values<O extends Options> = { readonly [Name in keyof O]?: ValueOf<O[Name]> | undefined }

export interface Arguments<O extends Options> {
  readonly values: Values<O>
  readonly parameters: readonly string[]
  readonly json: boolean
  readonly help: boolean
}

/** @throws UsageError */
export function readArguments<O extends Options>(args: readonly string[], options: O): Arguments<O> {
  const known = { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parse(args, known)
  for (const [name, { choices }] of Object.entries(options)) {
    const given = [values[name] ?? []].flat()
    const wrong = given.find((value) => choices && !choices.includes(String(value)))
    if (choices && wrong !== undefined) throw new UsageError(`--${name} is ${choices.join(', ')}, not "${wrong}"`)
  }
  const { json = false, help = false, ...rest } = values
  return { values: rest as Values<O>, parameters: positionals, json: json === true, help: help === true }
}

function parse(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const message = (error as Error).message.split(/\. |\n/, 1)[0] as string
    const unknown = /^Unknown option '--?([^']+)'/.exec(message)?.[1]
    const names = Object.keys(options)
    if (unknown === undefined) throw new UsageError(message)
    throw new UsageError(`${message}; ${suggestion(unknown, names) ?? `it takes --${names.join(', --')}`}`)
  }
}

function suggestion(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names)
  return name === undefined ? undefined : `did you mean --${name}?`
}

/** The name that was probably meant: at most two letters away, or cut short. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, far: name.startsWith(word) ? 0 : distance(word, name) }))
    .sort((a, b) => a.far - b.far)
  const [first] = ranked
  return first && first.far <= 2 ? first.name : undefined
}

/** Letters to be inserted, removed, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i ? i : j)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = rows[i] as number[]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}
