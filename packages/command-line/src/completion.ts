/** Completion scripts, made from the commands themselves. Whatever takes a file is left to the shell. */
import { type Command, common, type Option } from './command.ts'

interface Words {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly name: string; readonly about: string; readonly choices: readonly string[] }[]
  /** of the first parameter */
  readonly choices: readonly string[]
}

function wordsOf({ name, summary, options, parameters }: Command): Words {
  const all = Object.entries<Option>({ ...options, ...common })
  const described = all.map(([name, { about, choices = [] }]) => ({ name, about, choices }))
  return { name, summary, options: described, choices: parameters[0]?.choices ?? [] }
}

/** In single quotes, whatever it holds. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export function bashCompletion(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const cases = all.map(({ name, options, choices }) => {
    const words = [...choices, ...options.map((option) => `--${option.name}`)].join(' ')
    const values = options
      .filter((option) => option.choices.length > 0)
      .map((option) => `      [[ $previous == --${option.name} ]] && words=${quoted(option.choices.join(' '))}\n`)
    return `    ${name})\n      words=${quoted(words)}\n${values.join('')}      ;;`
  })
  return `_fleet() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words
  case \${COMP_CWORD}:\${COMP_WORDS[1]} in
    1:*) words=${quoted([...all.map(({ name }) => name), 'help'].join(' '))} ;;
    *:*) _fleet_words "\${COMP_WORDS[1]}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
_fleet_words() {
  case $1 in
${cases.join('\n')}
  esac
}
complete -o bashdefault -o default -F _fleet fleet`
}

export function zshCompletion(commands: readonly Command[]): string {
  const all = commands.map(wordsOf)
  const described = (name: string, about: string) => quoted(`${name.replaceAll(':', '\\:')}:${about}`)
  const cases = all.map(({ name, options, choices }) => {
    const flags = options.map((option) => described(`--${option.name}`, option.about)).join(' ')
    const values = options
      .filter((option) => option.choices.length > 0)
      .map(
        (option) =>
          `      [[ $words[CURRENT-1] == --${option.name} ]] && { compadd ${option.choices.join(' ')}; return; }\n`,
      )
    const first = choices.length > 0 ? `      compadd ${choices.join(' ')}\n` : ''
    return `    ${name})\n${values.join('')}${first}      options=(${flags})\n      _describe option options\n      _files\n      ;;`
  })
  return `#compdef fleet
_fleet() {
  local -a commands options
  commands=(${all.map(({ name, summary }) => described(name, summary)).join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _fleet fleet`
}

export function fishCompletion(commands: readonly Command[]): string {
  const lines = commands.map(wordsOf).flatMap(({ name, summary, options, choices }) => {
    const here = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
    return [
      `complete -c fleet -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(choices.length > 0 ? [`complete -c fleet -f ${here} -a ${quoted(choices.join(' '))}`] : []),
      ...options.map((option) => {
        const values = option.choices.length > 0 ? ` -x -a ${quoted(option.choices.join(' '))}` : ''
        return `complete -c fleet ${here} -l ${option.name}${values} -d ${quoted(option.about)}`
      }),
    ]
  })
  return lines.join('\n')
}
