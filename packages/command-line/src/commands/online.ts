/** Says who is online, as a system would that knows it. */
import { defineCommand } from '../define-command.ts'
import { listOf } from './message-options.ts'

export const online = defineCommand({
  name: 'online',
  summary: 'Say that people are online: what waits for that goes out to them',
  parameters: [{ name: 'people' }],
  options: {},
  exits: { 0: 'noted' },
  async execute({ parameters, answer, client }) {
    const [people] = parameters as [string]
    const noted = await client().reportOnline(listOf(people))
    answer(noted, () => `Noted of ${noted.people} ${noted.people === 1 ? 'person' : 'people'}; see: fleet status`)
    return 0
  },
})
