import { defineCommand } from '../define-command.ts'

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
  },
  exits: { 0: 'cancelled, and nobody gets it', 1: 'it had begun, and stops, or is taken back' },
  async execute({ parameters, values, answer, client }) {
    const [key] = parameters as [string]
    const { cancel, recall } = client()
    const cancellation = await (values.recall ? recall(key) : cancel(key))
    answer(cancellation, () => words[cancellation.outcome])
    return cancellation.outcome === 'cancelled' ? 0 : 1
  },
})
