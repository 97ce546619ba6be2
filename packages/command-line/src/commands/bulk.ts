/** Many different messages, a JSON object a line. */
import { randomUUID } from 'node:crypto'
import type { BulkAnswer, MessageInput } from '@courier-fleet/api-types'
import { UnreachableError } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { fileOrPiped } from '../input.ts'
import { bar, createProgress } from '../progress.ts'
import { plain } from '../table.ts'
import { UsageError } from '../usage-error.ts'

/** lines named in full */
const named = 20

export const bulk = defineCommand({
  name: 'bulk',
  summary: 'Send many different messages, a JSON object a line, such as {"to":["group:ivt-101"],"text":"…"}',
  parameters: [{ name: 'file' }],
  options: {
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      about: 'of a call that was cut off: what it sent is not sent again',
    },
  },
  exits: { 0: 'every line was accepted', 1: 'some lines were refused' },
  async execute({ parameters: [file = '-'], values, json, terminal, answer, client }) {
    const messages = messagesIn(await fileOrPiped(file, terminal))
    const idempotencyKey = values['idempotency-key'] ?? randomUUID()
    const progress = createProgress(terminal.err, json)
    const answers: BulkAnswer[] = []
    try {
      for await (const each of client().sendBulk(messages, { idempotencyKey })) {
        answers.push(each)
        progress.show(`${bar(answers.length, messages.length)} ${answers.length} of ${messages.length}`)
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
      throw new UsageError(
        `${error.message} after ${answers.length} of ${messages.length} lines; run it again with --idempotency-key ${idempotencyKey}, and nothing is sent twice`,
      )
    } finally {
      progress.end()
    }
    answer({ idempotencyKey, answers }, () => textOf(answers))
    return answers.some(isRefused) ? 1 : 0
  },
})

const isRefused = ({ key }: BulkAnswer) => key === undefined

/** All of them are read before the first is sent. @throws UsageError */
function messagesIn(text: string): MessageInput[] {
  const lines = text.split(/\r?\n/)
  while (lines.at(-1)?.trim() === '') lines.pop()
  if (lines.length === 0)
    throw new UsageError('there are no lines: a JSON object each, such as {"to":["group:own"],"text":"…"}')
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as MessageInput
    } catch {
      throw new UsageError(`line ${index + 1} is no JSON; nothing was sent`)
    }
  })
}

function textOf(answers: readonly BulkAnswer[]): string {
  const refused = answers.filter(isRefused)
  const before = answers.filter(({ status }) => status === 200).length
  const counts = [`${answers.length - refused.length} accepted`, ...(before > 0 ? [`of them ${before} before`] : [])]
  const lines = [[...counts, `${refused.length} refused`].join(', ')]
  for (const { line, field, detail } of refused.slice(0, named))
    lines.push(plain(`  line ${line}: ${field ? `${field}: ` : ''}${detail}`))
  if (refused.length > named) lines.push(`  … and ${refused.length - named} more: --json`)
  return lines.join('\n')
}
