import { defineCommand } from '../define-command.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { listOf } from './message-options.ts'

export const keys = defineCommand({
  name: 'keys',
  summary: 'The API keys there are; create one, or revoke one',
  parameters: [
    { name: 'action', optional: true, choices: ['create', 'revoke'] },
    { name: 'id', optional: true },
  ],
  options: {
    owner: { type: 'string', value: 'ID', about: 'create: whose histories, groups and limits' },
    role: {
      type: 'string',
      value: 'ROLE',
      about: 'create: what it may do: a role ("fleet roles" lists them), inbound or presence',
    },
    label: { type: 'string', value: 'TEXT', about: 'create: to tell it from others' },
    channels: {
      type: 'string',
      value: 'LIST',
      about: 'create, of an inbound process: the only channels it speaks for',
    },
  },
  exits: { 0: 'done' },
  async execute({ values: { owner, role, label, channels }, parameters: [action, id], answer, client, look }) {
    if (action === 'create') {
      if (owner === undefined || role === undefined || label === undefined || id !== undefined)
        throw new UsageError('say whose it is: create --owner <id> --role <role> --label "…"')
      const created = await client().createApiKey({
        owner,
        role,
        label,
        ...(channels === undefined ? {} : { channels: listOf(channels) }),
      })
      answer(created, () => `${created.apiKey}\nIts id is ${created.id}; it is shown only now.`)
      return 0
    }
    if (action === 'revoke') {
      if (id === undefined) throw new UsageError('say which: revoke <id>; "fleet keys" lists them')
      await client().revokeApiKey(id)
      answer({ revoked: id }, () => `Revoked ${id}`)
      return 0
    }
    const { apiKeys } = await client().apiKeys()
    const rows = apiKeys.map((key) => [
      key.id,
      key.owner,
      key.role,
      look.day(key.created),
      key.channels?.join(','),
      key.label,
    ])
    answer({ apiKeys }, () => table([['id', 'owner', 'role', 'created', 'channels', 'label'], ...rows]))
    return 0
  },
})
