import { defineCommand } from '../define-command.ts'
import { instantOf } from '../moment.ts'
import { UsageError } from '../usage-error.ts'
import { momentOption } from './message-options.ts'

export const reschedule = defineCommand({
  name: 'reschedule',
  summary: 'Give a message that has not started another time',
  parameters: [{ name: 'key' }],
  options: momentOption,
  exits: { 0: 'it will go out then' },
  async execute({ values: { at }, parameters, answer, client, look }) {
    const [key] = parameters as [string]
    if (at === undefined) throw new UsageError('say when to send it: --at +5m, or --at 2026-09-01T09:00:00+03:00')
    const history = await client().reschedule(key, instantOf('at', at, Date.now()))
    answer(history, () => `Due ${look.moment(history.at ?? '')}`)
    return 0
  },
})
