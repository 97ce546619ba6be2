import type { PersonData } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'

export const data = defineCommand({
  name: 'data',
  summary: 'All that is known of one person, as JSON; for admins',
  parameters: [{ name: 'person' }],
  options: {},
  exits: { 0: 'told' },
  async execute({ parameters, answer, client }) {
    const [person] = parameters as [string]
    const all = await allOf(client(), person)
    answer(all, () => JSON.stringify(all, undefined, 2))
    return 0
  },
})

async function allOf(client: Client, person: string): Promise<PersonData> {
  const { next: second, ...first } = await client.personData(person)
  const messages = [...first.messages]
  for (let to = second; to !== undefined; ) {
    const page = await client.personData(person, { to })
    messages.push(...page.messages)
    to = page.next
  }
  return { ...first, messages }
}
