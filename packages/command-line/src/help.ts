/** What the help says of exit codes. */
import type { Command } from './command.ts'
import { table } from './table.ts'

const cannot = 'it could not be done: wrong arguments, refused, or no answer; the reason is on stderr'

export function exitCodes(exits: Command['exits']): string {
  return `Exit code:\n${table(Object.entries({ ...exits, 2: cannot }).map(([code, meaning]) => [`  ${code}`, meaning]))}`
}

export function exitCodesOfAll(commands: readonly Command[]): string {
  const codes = commands.map(({ name, exits }) => [`  ${name}`, exits[0], exits[1] ?? '–'])
  const more = commands.filter(({ exits }) => exits[3] !== undefined)
  const [first] = more
  return [
    'Each takes --json and --help. The fleet is the one "npm start" has started here, or FLEET_API_URL with FLEET_API_KEY.',
    `Exit codes: 0 and 1 as below; 2: ${cannot}.`,
    `Of ${more.map(({ name }) => name).join(' and ')} also 3: ${first?.exits[3]}; 4: ${first?.exits[4]}.`,
    table([['  command', '0', '1'], ...codes]),
  ].join('\n\n')
}
