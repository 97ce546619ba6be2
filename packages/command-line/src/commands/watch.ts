import type { HistoryView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { exitCodeOf, isDone, levelExits, levelOf, levelOption } from '../level.ts'
import { deadlineAfter } from '../long-timers.ts'
import { waitMsOf } from '../moment.ts'
import { tellOutcome } from '../telling.ts'
import { watchUntilDone } from '../watching.ts'

export const watch = defineCommand({
  name: 'watch',
  summary: 'Watch a message until it is over, and say who got it',
  parameters: [{ name: 'key' }],
  options: {
    wait: { type: 'string', value: 'SECONDS', about: 'how long to watch it; to the end when absent' },
    ...levelOption,
  },
  exits: levelExits,
  async execute({ values, parameters, json, terminal, look, answer, client: connect }) {
    const [key] = parameters as [string]
    const { wait } = values
    const until = levelOf(values.until)
    const deadline = wait === undefined ? undefined : deadlineAfter(waitMsOf(wait))
    const client = connect()
    // a wrong key and a fleet that is not there are told at once; from here on it may come and go
    await client.history(key)
    const isEnough = (history: HistoryView) => isDone(history, until)
    await watchUntilDone({ client, key, isDone: isEnough, deadline, quiet: json, terminal, look })
    const report = await client.track(key, 0)
    await tellOutcome(client, report, { answer, look })
    return exitCodeOf(report.history, until)
  },
})
