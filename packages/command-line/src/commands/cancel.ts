import { recallRehearsalWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { UsageError } from '../usage-error.ts'

const words = {
  cancelled: 'Cancelled: nobody gets it.',
  stopping: 'It had begun: it stops after the batch in flight. See who got it with: fleet watch',
  withdrawing:
    'It had begun: it stops, and is taken from whoever has it where the channel can. See from whom with: fleet watch',
} as const

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'Cancel a message, stop one that has begun, or take it back',
  parameters: [{ name: 'key' }],
  options: {
    recall: { type: 'boolean', about: 'take it from whoever has it, too: delete it where the channel can' },
    'dry-run': { type: 'boolean', about: 'with --recall: say who would lose it, and who would not; change nothing' },
  },
  exits: {
    0: 'cancelled, and nobody gets it; or, with --dry-run, told',
    1: 'it had begun, and stops, or is taken back',
  },
  async execute({ parameters, values, answer, client }) {
    const [key] = parameters as [string]
    const { cancel, recall, rehearseRecall } = client()
    if (values['dry-run']) {
      if (!values.recall) throw new UsageError('--dry-run tells what --recall would do: add --recall')
      const foreseen = await rehearseRecall(key)
      answer(foreseen, () => ['Nothing was changed. It would be:', ...recallRehearsalWords('en', foreseen)].join('\n'))
      return 0
    }
    const cancellation = await (values.recall ? recall(key) : cancel(key))
    answer(cancellation, () => words[cancellation.outcome])
    return cancellation.outcome === 'cancelled' ? 0 : 1
  },
})
