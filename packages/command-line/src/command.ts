/** What a command of the command line is. */
import type { Client } from '@courier-fleet/client'
import type { Options, Values } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export interface Parameter {
  readonly name: string
  readonly optional?: true
  /** the only values it takes */
  readonly choices?: readonly string[]
}

/** One call of a command, its arguments read. */
export interface Call<O extends Options> {
  readonly values: Values<O>
  readonly parameters: readonly string[]
  readonly json: boolean
  readonly terminal: Terminal
  /** The answer: as JSON when that was asked for, else in words. */
  answer(data: unknown, words: () => string): void
  /** @throws UsageError when no fleet is named */
  client(): Client
}

export interface Command {
  readonly name: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly options: Options
  /** what the exit codes mean; 2 is the same for all */
  readonly exits: { readonly 0: string; readonly 1?: string; readonly 3?: string; readonly 4?: string }
  run(args: readonly string[], terminal: Terminal, calledAs: string): Promise<number>
}

export const parameterName = ({ name, optional }: Parameter) => (optional ? `[${name}]` : `<${name}>`)
