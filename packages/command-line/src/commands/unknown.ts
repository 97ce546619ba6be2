/** `fleet resolve` and `fleet resend`: what somebody decides about people of whom it is unknown whether they got it. */
import type { DecisionOutcome } from '@courier-fleet/api-types'
import type { Values } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { UsageError } from '../usage-error.ts'

const options = {
  person: { type: 'string', multiple: true, value: 'ID', about: 'somebody it is unknown of; may be repeated' },
  all: { type: 'boolean', about: 'everyone it is unknown of on this channel' },
} as const

/** @throws UsageError */
function peopleOf({ person, all }: Values<typeof options>): string[] | 'all' {
  if ((person === undefined) === (all === undefined)) throw new UsageError('say who: --person <id>, or --all')
  return person ?? 'all'
}

const codeOf = ({ people }: DecisionOutcome) => (people > 0 ? 0 : 1)
const nobody = 'Of none of them is it unknown.'

export const resolve = defineCommand({
  name: 'resolve',
  summary: 'Say what has become of people of whom it is unknown whether they got it',
  parameters: [{ name: 'key' }, { name: 'channel' }, { name: 'outcome', choices: ['delivered', 'failed'] }],
  options,
  exits: { 0: 'noted', 1: 'of none of them was it unknown' },
  async execute({ values, parameters, answer, client }) {
    const [key, channel, outcome] = parameters as [string, string, 'delivered' | 'failed']
    const done = await client().resolve(key, { channel, people: peopleOf(values), outcome })
    answer(done, () => (done.people === 0 ? nobody : `Noted as ${outcome}: ${done.people}.`))
    return codeOf(done)
  },
})

export const resend = defineCommand({
  name: 'resend',
  summary: 'Send again to people of whom it is unknown whether they got it',
  parameters: [{ name: 'key' }, { name: 'channel' }],
  options,
  exits: { 0: 'it will be sent again', 1: 'of none of them was it unknown' },
  async execute({ values, parameters, answer, client }) {
    const [key, channel] = parameters as [string, string]
    const done = await client().resend(key, { channel, people: peopleOf(values) })
    answer(done, () =>
      done.people === 0
        ? nobody
        : `Sent again: ${done.people}. They may get it twice. See what becomes of it with: fleet watch ${key}`,
    )
    return codeOf(done)
  },
})
