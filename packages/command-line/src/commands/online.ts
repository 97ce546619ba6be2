/** Says who is online, as a system would that knows it. */
import type { OnlineView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'
import { listOf } from './message-options.ts'

export const online = defineCommand({
  name: 'online',
  summary: 'Say that people are online: what waits for that goes out to them',
  parameters: [{ name: 'people' }],
  options: {},
  exits: { 0: 'noted', 1: 'of nobody: none of these ids is known' },
  async execute({ parameters, answer, client }) {
    const [people] = parameters as [string]
    const noted = await client().reportOnline(listOf(people))
    answer(noted, () => linesOf(noted).join('\n'))
    return noted.people > 0 ? 0 : 1
  },
})

function linesOf({ people, unknown = [] }: OnlineView): string[] {
  const noted = `Noted of ${people} ${people === 1 ? 'person' : 'people'}; see: fleet status`
  const none = `Nobody of ${unknown.length === 1 ? 'this id' : 'these ids'} is known: ${unknown.join(', ')}`
  return [...(people > 0 ? [noted] : []), ...(unknown.length > 0 ? [none] : [])]
}
