import type { Call, Command, Options, Parameter } from './command.ts'

interface CommandDefinition<O extends Options> extends Omit<Command, 'execute' | 'options' | 'parameters'> {
  readonly parameters?: readonly Parameter[]
  readonly options: O
  readonly execute: (call: Call<O>) => ReturnType<Command['execute']>
}

/** A command whose values have the types that its options say. */
export function defineCommand<const O extends Options>({
  parameters = [],
  execute,
  ...rest
}: CommandDefinition<O>): Command {
  // what reads the arguments gives each option the value that its type says
  return { ...rest, parameters, execute: (call) => execute(call as unknown as Call<O>) }
}
