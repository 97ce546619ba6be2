/** Runs a program, and turns whatever keeps it from its work into one line on stderr and exit code 2. */
import { nearest } from '@courier-fleet/api-types'
import { CommanderError, type Command as Program } from 'commander'
import { type Command, common, parameterName } from './command.ts'
import type { Run } from './program.ts'
import { coloursOn } from './style.ts'
import type { Terminal } from './terminal.ts'
import { explain, UsageError } from './usage-error.ts'

/** @returns the exit code */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { err, env }: Terminal,
  run: Run,
): Promise<number> {
  try {
    const [first, asked] = args
    if (first === 'help' && asked !== undefined && !asked.startsWith('-')) requireCommand(program, asked)
    await program.parseAsync(args, { from: 'user' })
    return run.code
  } catch (error) {
    if (error instanceof CommanderError && isTold(error)) return error.exitCode === 0 ? 0 : 2
    const line = error instanceof CommanderError ? refusalOf(error, program, run.named) : explain(error)
    if (line === undefined) throw error
    err.write(`${coloursOn(err, env).red(`${run.named?.name ?? program.name()}:`)} ${line}\n`)
    return 2
  }
}

/** The help and the version have been written, and there is nothing more to say. */
const isTold = ({ code }: CommanderError) =>
  ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code)

/** What was wrong with the arguments, and what would have been right. */
function refusalOf({ code, message }: CommanderError, program: Program, command: Command | undefined): string {
  const [, word = ''] = /'([^']+)'/.exec(message) ?? []
  if (code === 'commander.unknownCommand') return noCommand(program, word)
  if (code === 'commander.unknownOption') {
    const options = command ? Object.keys({ ...command.options, ...common }) : ['version', 'help']
    const meant = nearest(word.replace(/^--?/, ''), options)
    const right = meant === undefined ? `it takes --${options.join(', --')}` : `did you mean --${meant}?`
    return `Unknown option '${word}'; ${right}`
  }
  if (command && (code === 'commander.missingArgument' || code === 'commander.excessArguments')) {
    const wrong = code === 'commander.missingArgument' ? `<${word}> is missing` : 'too many arguments'
    return `${wrong}; usage: ${[calledAs(program, command), ...command.parameters.map(parameterName)].join(' ')}`
  }
  return message.replace(/^error: /, '')
}

function noCommand(program: Program, word: string): string {
  const meant = nearest(word, names(program))
  const right = meant === undefined ? '"fleet help" lists the commands' : `did you mean "fleet ${meant}"?`
  return `there is no command "${word}"; ${right}`
}

/** Of what help is asked about: commander answers with the whole of it. @throws UsageError */
function requireCommand(program: Program, word: string): void {
  if (program.commands.length > 0 && word !== 'help' && !names(program).includes(word))
    throw new UsageError(noCommand(program, word))
}

const names = (program: Program) => program.commands.map((each) => each.name())

const calledAs = (program: Program, { name }: Command) =>
  program.commands.length === 0 ? program.name() : `${program.name()} ${name}`
