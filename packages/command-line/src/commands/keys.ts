import { defineCommand } from '../define-command.ts'
import { leftBehind, leftBehindLines } from '../scheduled-of.ts'
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
      const fleet = client()
      const before = (await fleet.apiKeys()).apiKeys
      await fleet.revokeApiKey(id)
      const key = before.find((each) => each.id === id)
      // it is revoked whatever comes of this: the key may have been the one that asks
      const scheduled = key && (await leftBehind(fleet, key, before).catch(() => undefined))
      const notKnown = `What ${key?.owner ?? 'its owner'} has scheduled could not be read; it is not taken back.`
      answer({ revoked: id, ...(scheduled ? { scheduled } : {}) }, () =>
        [`Revoked ${id}`, ...(scheduled ? leftBehindLines(scheduled, look) : [notKnown])].join('\n'),
      )
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
