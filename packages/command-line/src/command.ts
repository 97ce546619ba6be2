/** What a command of the command line is. */
import type { Client } from '@courier-fleet/client'
import type { FleetAddress } from './fleet-file.ts'
import type { Look } from './style.ts'
import type { Terminal } from './terminal.ts'

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

export interface Parameter {
  readonly name: string
  readonly optional?: true
  /** whatever is left, any number of them */
  readonly multiple?: true
  /** the only values it takes */
  readonly choices?: readonly string[]
}

/** One call of a command, its arguments read. */
export interface Call<O extends Options = Options> {
  readonly values: Values<O>
  readonly parameters: readonly string[]
  readonly json: boolean
  readonly terminal: Terminal
  readonly look: Look
  /** The answer: as JSON when that was asked for, else in words. */
  answer(data: unknown, words: () => string): void
  /** @throws UsageError when no fleet is named */
  client(): Client
  /** Where that is. @throws UsageError when no fleet is named */
  fleet(): FleetAddress
}

export interface Command {
  readonly name: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly options: Options
  /** what the exit codes mean; 2 is the same for all */
  readonly exits: { readonly 0: string; readonly 1?: string; readonly 3?: string; readonly 4?: string }
  /** @returns the exit code */
  execute(call: Call): Promise<keyof Command['exits']>
}

/** Every command takes these, too. */
export const common = {
  json: { type: 'boolean', about: 'the answer as JSON, and nothing else on stdout' },
  help: { type: 'boolean', about: 'this text' },
} as const satisfies Options

export function parameterName({ name, optional, multiple }: Parameter): string {
  const shown = multiple ? `${name}...` : name
  return optional ? `[${shown}]` : `<${shown}>`
}
