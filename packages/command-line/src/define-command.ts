/** Makes a command of what it does: reads its arguments, answers in words or JSON, and turns errors into exit codes. */
import { createClient } from '@courier-fleet/client'
import { type Options, readArguments } from './arguments.ts'
import { type Call, type Command, type Parameter, parameterName } from './command.ts'
import { findFleet } from './fleet-file.ts'
import { usageOf } from './usage.ts'
import { explain, UsageError } from './usage-error.ts'

interface CommandDefinition<O extends Options> extends Omit<Command, 'run' | 'options' | 'parameters'> {
  readonly parameters?: readonly Parameter[]
  readonly options: O
  /** @returns the exit code */
  readonly execute: (call: Call<O>) => Promise<keyof Command['exits']>
}

/** Every command takes --json and --help; whatever keeps it from its work is one line on stderr and exit code 2. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  const command: Command = {
    name: definition.name,
    summary: definition.summary,
    parameters: definition.parameters ?? [],
    options: definition.options,
    exits: definition.exits,
    async run(args, terminal, calledAs) {
      try {
        const read = readArguments(args, definition.options)
        if (read.help) {
          terminal.out(usageOf(command, calledAs))
          return 0
        }
        checkParameters(command, read.parameters, calledAs)
        return await definition.execute({
          values: read.values,
          parameters: read.parameters,
          json: read.json,
          terminal,
          answer: (data, words) => terminal.out(read.json ? JSON.stringify(data, null, 2) : words()),
          client: () => createClient(findFleet(terminal.env, terminal.fleetFile)),
        })
      } catch (error) {
        const line = explain(error)
        if (line === undefined) throw error
        terminal.err.write(`${command.name}: ${line}\n`)
        return 2
      }
    },
  }
  return command
}

function checkParameters({ parameters }: Command, given: readonly string[], calledAs: string): void {
  const least = parameters.filter(({ optional }) => !optional).length
  if (given.length < least || given.length > parameters.length)
    throw new UsageError(`usage: ${[calledAs, ...parameters.map(parameterName)].join(' ')}`)
  for (const [index, { name, choices }] of parameters.entries()) {
    const value = given[index]
    if (value !== undefined && choices && !choices.includes(value))
      throw new UsageError(`${name} is ${choices.join(' or ')}, not "${value}"`)
  }
}
