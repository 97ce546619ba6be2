import { contactsOf, contactTable } from '../contact-table.ts'
import { defineCommand } from '../define-command.ts'

const actions = ['link', 'unlink'] as const
type Action = (typeof actions)[number]

export const contacts = defineCommand({
  name: 'contacts',
  summary: 'Link a phone to somebody behind those they have, for admins, or unlink one contact',
  parameters: [{ name: 'action', choices: actions }, { name: 'person' }, { name: 'channel' }, { name: 'address' }],
  options: {},
  exits: { 0: 'linked, or theirs already; unlinked', 1: 'they have no such contact' },
  async execute({ parameters, answer, client: connect }) {
    const [action, person, channel, address] = parameters as [Action, string, string, string]
    const client = connect()
    const read = () => client.person(person)
    const before = onChannel(contactsOf(await read()), channel)
    await (action === 'link' ? client.addContact : client.unlinkContact)(channel, person, address)
    const details = await read()
    const after = onChannel(contactsOf(details), channel)
    const [less, more] = action === 'link' ? [before, after] : [after, before]
    const isDone = more.some((each) => !less.some((other) => other.address === each.address))
    answer(details, () => {
      const has =
        after.length === 0 ? `They have none on ${channel}.` : `They have on ${channel}:\n\n${contactTable(after)}`
      return `${said[action][isDone ? 'done' : 'nothing']} ${has}`
    })
    return action === 'link' || isDone ? 0 : 1
  },
})

const onChannel = (all: ReturnType<typeof contactsOf>, name: string) => all.filter(({ channel }) => channel === name)

const said: Readonly<Record<Action, { readonly done: string; readonly nothing: string }>> = {
  link: { done: 'Linked.', nothing: 'It is theirs already.' },
  unlink: { done: 'Unlinked.', nothing: 'Nothing was unlinked: they have no such contact.' },
}
