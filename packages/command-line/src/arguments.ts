/** The arguments of a command, by node:util's parseArgs, with errors that name what would have been right. */
import { parseArgs } from 'node:util'
import { nearest } from '@courier-fleet/api-types'
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
    return parseArgs({ args: withNegatives(args, options), options, allowPositionals: true })
  } catch (error) {
    const message = (error as Error).message.split(/\. |\n/, 1)[0] as string
    const unknown = /^Unknown option '--?([^']+)'/.exec(message)?.[1]
    const names = Object.keys(options)
    if (unknown === undefined) throw new UsageError(message)
    throw new UsageError(`${message}; ${suggestion(unknown, names) ?? `it takes --${names.join(', --')}`}`)
  }
}

/** `--offset -3600` as `--offset=-3600`: to parseArgs what begins with a dash is another option. */
function withNegatives(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: string }>>,
): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const option = joined.at(-1) ?? ''
    const takesValue = options[option.slice(2)]?.type === 'string' && option.startsWith('--')
    if (takesValue && /^-\d/.test(arg)) joined[joined.length - 1] = `${option}=${arg}`
    else joined.push(arg)
  }
  return joined
}

function suggestion(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names)
  return name === undefined ? undefined : `did you mean --${name}?`
}
