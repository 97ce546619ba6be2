import { setTimeout as sleep } from 'node:timers/promises'
import { type ErasureInput, erasureReasons } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { waitMsOf } from '../moment.ts'
import { UsageError } from '../usage-error.ts'

const lookMs = 1_000

export const erase = defineCommand({
  name: 'erase',
  summary: 'Erases a person for good: nothing is left of them but counts; for admins',
  parameters: [{ name: 'person' }],
  options: {
    reason: { type: 'string', value: 'REASON', about: `why: ${erasureReasons.join(', ')}` },
    yes: { type: 'boolean', about: 'you know that it cannot be taken back' },
    wait: { type: 'string', value: 'SECONDS', about: 'until it is done, at most so long; 600 when absent' },
  },
  exits: { 0: 'done', 1: 'not done yet' },
  async execute({ values: { reason, yes, wait = '600' }, parameters, answer, client: connect }) {
    const [person] = parameters as [string]
    const why = erasureReasons.find((each) => each === reason)
    if (!why) throw new UsageError(`say why: --reason ${erasureReasons.join('|')}`)
    const waitMs = waitMsOf(wait)
    if (!yes) throw new UsageError(warning(person))
    const client = connect()
    await client.erase(person, { reason: why } satisfies ErasureInput)
    const isDone = await waitFor(client, person, Date.now() + waitMs)
    answer({ done: isDone }, () =>
      isDone ? 'Erased: nothing is left of them but counts.' : 'It is not done yet, and goes on by itself.',
    )
    return isDone ? 0 : 1
  },
})

const warning = (person: string) =>
  `this erases all that is known of ${person}, with every message they have sent, and cannot be taken back; "fleet data ${person}" shows it. To do it: --yes`

async function waitFor(client: Client, person: string, untilMs: number): Promise<boolean> {
  for (;;) {
    const { erasures } = await client.erasures()
    if (!erasures.some((each) => each.person === person)) return true
    if (Date.now() >= untilMs) return false
    await sleep(lookMs)
  }
}
