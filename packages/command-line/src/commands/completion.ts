import type { Command } from '../command.ts'
import { bashCompletion, fishCompletion, zshCompletion } from '../completion.ts'
import { defineCommand } from '../define-command.ts'

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** @param all the commands to be completed, this one among them */
export function completion(all: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    summary: 'The completion script of a shell: eval "$(fleet completion bash)"',
    parameters: [{ name: 'shell', choices: ['bash', 'zsh', 'fish'] }],
    options: {},
    exits: { 0: 'told' },
    async execute({ parameters, answer }) {
      const script = writers[parameters[0] as keyof typeof writers](all())
      answer({ script }, () => script)
      return 0
    },
  })
}
