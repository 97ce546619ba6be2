/** The commands as a program of commander, which reads the arguments and writes the help. */
import { createClient } from '@courier-fleet/client'
import { Argument, Option as FlagOption, type Help, Command as Program } from 'commander'
import { type Command, common, type Option, type Parameter, parameterName } from './command.ts'
import { findFleet } from './fleet-file.ts'
import { exitCodes, exitCodesOfAll } from './help.ts'
import { coloursOn, lookOf } from './style.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

/** What came of a call: the command that was named, and its exit code. */
export interface Run {
  named?: Command | undefined
  code: number
}

/** Every command under the name `fleet`. */
export function programOf(commands: readonly Command[], terminal: Terminal, run: Run): Program {
  const program = prepared(new Program('fleet'), terminal)
    .usage('<command> [options]')
    .enablePositionalOptions() // for "settings set" has a --version of its own
    .version(version(), '--version', 'which version of the command line this is')
    .helpCommand('help [command]', 'how a command is called')
    .configureHelp({ ...styled(terminal), subcommandTerm: termOf })
    .addHelpText('after', `\n${exitCodesOfAll(commands)}`)
    .hook('preSubcommand', (_, called) => {
      run.named = commands.find(({ name }) => name === called.name())
    })
  for (const command of commands) {
    const own = prepared(new Program(command.name), terminal)
    program.addCommand(describe(own, command, terminal, run))
  }
  return program
}

/** One command that has a name of its own, such as `npm run send --`. */
export function programOfOne(command: Command, calledAs: string, terminal: Terminal, run: Run): Program {
  run.named = command
  return describe(prepared(new Program(calledAs), terminal), command, terminal, run)
}

function prepared(program: Program, terminal: Terminal): Program {
  const { out, err, screen } = terminal
  return program
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp(styled(terminal))
    .helpOption('-h, --help', common.help.about)
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err.write(text),
      outputError: () => {}, // refusalOf() has better words
      getOutHasColors: () => screen !== undefined, // styled only where colours are wanted
      getOutHelpWidth: () => screen?.columns || 100,
      getErrHelpWidth: () => err.columns || 100,
    })
}

function styled({ screen, env }: Terminal): Pick<Help, 'styleTitle' | 'styleOptionTerm' | 'styleSubcommandTerm'> {
  const { bold, cyan } = coloursOn(screen, env)
  return { styleTitle: bold, styleOptionTerm: cyan, styleSubcommandTerm: cyan }
}

/** A command and what it is given, without the options. */
const termOf = (each: Program) => `${each.name()} ${each.usage().replace('[options]', '')}`.trimEnd()

function describe(program: Program, command: Command, terminal: Terminal, run: Run): Program {
  const { summary, parameters, options, exits } = command
  program
    .description(`${summary}.`)
    .summary(summary)
    .usage([...parameters.map(parameterName), '[options]'].join(' '))
  for (const parameter of parameters) program.addArgument(argumentOf(parameter))
  for (const [name, option] of Object.entries({ ...options, json: common.json }))
    program.addOption(optionOf(program, name, option))
  return program.addHelpText('after', `\n${exitCodes(exits)}`).action(async () => {
    const { json = false, ...values } = program.opts()
    const fleet = () => findFleet(terminal.env, terminal.fleetFile)
    run.code = await command.execute({
      values,
      parameters: program.args,
      json,
      terminal,
      look: lookOf(terminal),
      answer: (data, words) => terminal.out(json ? JSON.stringify(data, null, 2) : words()),
      client: () => createClient(fleet()),
      fleet,
    })
  })
}

function argumentOf(parameter: Parameter): Argument {
  const { name, choices } = parameter
  return new Argument(parameterName(parameter)).argParser((value: string) => {
    if (choices && !choices.includes(value)) throw new UsageError(`${name} is ${choices.join(' or ')}, not "${value}"`)
    return value
  })
}

/** Its value stands under the very name, which commander writes in camel case by itself. */
class NamedOption extends FlagOption {
  readonly #name: string

  constructor(name: string, value: string | undefined, about: string) {
    super(value === undefined ? `--${name}` : `--${name} <${value}>`, about)
    this.#name = name
  }

  override attributeName(): string {
    return this.#name
  }
}

function optionOf(program: Program, name: string, { type, value = 'VALUE', about, choices, multiple }: Option) {
  const isFlag = type === 'boolean'
  const option = new NamedOption(name, isFlag ? undefined : value, choices ? `${about}: ${choices.join(', ')}` : about)
  if (isFlag) return option
  return option.argParser<string | string[]>((given, before = []) => {
    // an empty variable of a shell leaves `--text --wait 5`: nobody is to be sent "--wait"
    if (program.options.some(({ long }) => long === given) || given === '--help')
      throw new UsageError(`--${name} takes a value, and ${given} is another option`)
    if (choices && !choices.includes(given)) throw new UsageError(`--${name} is ${choices.join(', ')}, not "${given}"`)
    return multiple ? [...before, given] : given
  })
}
