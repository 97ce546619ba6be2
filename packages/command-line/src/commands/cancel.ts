import { defineCommand } from '../define-command.ts'

const words = {
  cancelled: 'Cancelled: nobody gets it.',
  stopping: 'It had begun: it stops after the batch in flight. See who got it with: fleet watch',
} as const

export const cancel = defineCommand({
  name: 'cancel',
  summary: 'Cancel a message, or stop one that has begun',
  parameters: [{ name: 'key' }],
  options: {},
  exits: { 0: 'cancelled, and nobody gets it', 1: 'it had begun, and stops' },
  async execute({ parameters, answer, client }) {
    const [key] = parameters as [string]
    const cancellation = await client().cancel(key)
    answer(cancellation, () => words[cancellation.outcome])
    return cancellation.outcome === 'cancelled' ? 0 : 1
  },
})
