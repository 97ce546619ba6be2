/** Help: of one command, and of all of them. */
import type { Option, Options } from './arguments.ts'
import { type Command, parameterName } from './command.ts'
import { table } from './table.ts'

export const cannot = 'it could not be done: wrong arguments, refused, or no answer; the reason is on stderr'

const common: Options = {
  json: { type: 'boolean', about: 'the answer as JSON, and nothing else on stdout' },
  help: { type: 'boolean', about: 'this text' },
}

export function usageOf({ summary, parameters, options, exits }: Command, calledAs: string): string {
  const rows = Object.entries({ ...options, ...common }).map(([name, option]) => [
    `  --${name}${option.value ? ` ${option.value}` : ''}`,
    aboutOf(option),
  ])
  const codes = Object.entries({ ...exits, 2: cannot }).map(([code, meaning]) => [`  ${code}`, meaning])
  return [
    `Usage: ${[calledAs, ...parameters.map(parameterName), '[options]'].join(' ')}`,
    `${summary}.`,
    table(rows),
    `Exit code:\n${table(codes)}`,
  ].join('\n\n')
}

const aboutOf = ({ about, choices }: Option) => (choices ? `${about}: ${choices.join(', ')}` : about)

export function overview(commands: readonly Command[]): string {
  const names = commands.map(({ name, parameters, summary }) => [
    `  ${[name, ...parameters.map(parameterName)].join(' ')}`,
    summary,
  ])
  const codes = commands.map(({ name, exits }) => [`  ${name}`, exits[0], exits[1] ?? '–'])
  const more = commands.filter(({ exits }) => exits[3] !== undefined)
  const [first] = more
  return [
    'Usage: fleet <command> [options]',
    table(names),
    'Each takes --json and --help. The fleet is the one "npm start" has started here, or FLEET_API_URL with FLEET_API_KEY.',
    `Exit codes: 0 and 1 as below; 2: ${cannot}.`,
    `Of ${more.map(({ name }) => name).join(' and ')} also 3: ${first?.exits[3]}; 4: ${first?.exits[4]}.`,
    table([['  command', '0', '1'], ...codes]),
  ].join('\n\n')
}
