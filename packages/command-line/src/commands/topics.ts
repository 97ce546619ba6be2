import type { TopicView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['join', 'leave', 'members', 'put', 'remove'] as const

export const topics = defineCommand({
  name: 'topics',
  summary: 'What people join by themselves: list it, join or leave; for operators members, put and remove',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    person: { type: 'string', value: 'ID', about: 'of join and leave: whom, for operators; yourself when absent' },
    ru: { type: 'string', value: 'NAME', about: 'of put: what it is called in Russian' },
    en: { type: 'string', value: 'NAME', about: 'of put: what it is called in English' },
    sender: {
      type: 'string',
      multiple: true,
      value: 'WHO',
      about:
        'of put: who may write to it, a role and those above it, or the id of a person; may be given several times',
    },
    closed: { type: 'boolean', about: 'of put: nobody joins by themselves' },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action, id], values, answer, client }) {
    if (action === undefined) {
      const { topics } = await client().topics()
      answer({ topics }, () => (topics.length === 0 ? 'No topics.' : listOf(topics)))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: ${action} <id>; "fleet topics" lists them`)
    const { data, words } = await act(client(), action as (typeof actions)[number], id, values)
    answer(data, () => words)
    return 0
  },
})

interface Values {
  readonly person?: string | undefined
  readonly ru?: string | undefined
  readonly en?: string | undefined
  readonly sender?: string[] | undefined
  readonly closed?: boolean | undefined
}

async function act(client: Client, action: (typeof actions)[number], id: string, values: Values) {
  const { person } = values
  const whose = person === undefined ? 'You are' : `${person} is`
  switch (action) {
    case 'join':
      return { data: await client.joinTopic(id, person), words: `${whose} in topic:${id}.` }
    case 'leave':
      return { data: await client.leaveTopic(id, person), words: `${whose} not in topic:${id} any more.` }
    case 'members': {
      const { people } = await client.topicMembers(id)
      return { data: { people }, words: people.join('\n') || 'Nobody.' }
    }
    case 'put': {
      const { ru, en, sender: senders = [], closed = false } = values
      if (ru === undefined || en === undefined) throw new UsageError('say what it is called: --ru "Хор" --en "Choir"')
      const put = await client.putTopic(id, { name: { ru, en }, senders, open: !closed })
      const whoWrites = senders.length === 0 ? ' Nobody may write to it yet: --sender' : ''
      return { data: put, words: `topic:${id}: ${put.outcome}.${whoWrites}` }
    }
    case 'remove':
      await client.deleteTopic(id)
      return { data: { id }, words: `Removed topic:${id}.` }
  }
}

function listOf(topics: readonly TopicView[]): string {
  const rows = topics.map(({ id, name, joined, open, mayWrite, senders, size }) => [
    `topic:${id}`,
    name.en,
    name.ru,
    joined ? 'yes' : 'no',
    open ? 'yes' : 'no',
    mayWrite ? 'yes' : 'no',
    size ?? '–',
    senders.join(', '),
  ])
  return table([['to', 'English', 'Russian', 'joined', 'open', 'you may write', 'people', 'senders'], ...rows])
}
