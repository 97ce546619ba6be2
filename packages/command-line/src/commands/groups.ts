import { defineCommand } from '../define-command.ts'
import { table } from '../table.ts'

export const groups = defineCommand({
  name: 'groups',
  summary: 'The groups you may write to, or the members of one',
  parameters: [{ name: 'id', optional: true }],
  options: {},
  exits: { 0: 'told' },
  async execute({ parameters: [id], answer, client }) {
    if (id !== undefined) {
      const { people } = await client().members(id)
      answer({ people }, () => people.join('\n') || 'Nobody.')
      return 0
    }
    const { groups } = await client().groups()
    const rows = groups.map(({ id, name, size, owners }) => [`group:${id}`, name, size, owners.join(', ')])
    answer({ groups }, () => (rows.length === 0 ? 'No groups.' : table([['to', 'name', 'people', 'owners'], ...rows])))
    return 0
  },
})
