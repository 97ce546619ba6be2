/** What is to become of people who wait for a time that a rule about people has set. */
import type { HeldOutcome } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'

const peopleOf = ({ people }: HeldOutcome) => `${people} ${people === 1 ? 'person' : 'people'}`
const nobody = 'Nobody of it waits (any more). See what has become of it with: fleet status'

export const sendNow = defineCommand({
  name: 'send-now',
  summary: 'Send a message to those who wait for the end of quiet hours, or until they are online',
  parameters: [{ name: 'key' }],
  options: {},
  exits: { 0: 'they are sent it now', 1: 'nobody waited' },
  async execute({ parameters, answer, client }) {
    const [key] = parameters as [string]
    const outcome = await client().sendNow(key)
    answer(outcome, () =>
      outcome.people === 0
        ? nobody
        : `On its way to ${peopleOf(outcome)}; who has quiet hours of their own waits for their end. See: fleet watch`,
    )
    return outcome.people === 0 ? 1 : 0
  },
})

export const cancelWaiting = defineCommand({
  name: 'cancel-waiting',
  summary: 'Cancel a message for those who wait because of a rule about people, and for nobody else',
  parameters: [{ name: 'key' }],
  options: {},
  exits: { 0: 'they do not get it', 1: 'nobody waited' },
  async execute({ parameters, answer, client }) {
    const [key] = parameters as [string]
    const outcome = await client().cancelWaiting(key)
    answer(outcome, () =>
      outcome.people === 0
        ? nobody
        : `Cancelled for ${peopleOf(outcome)} who waited; the others keep it, or still get it.`,
    )
    return outcome.people === 0 ? 1 : 0
  },
})
