import type { PersonReceipts, PersonView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { channelName, wholeReceiptWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { lengthMsOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { table } from '../table.ts'

/** of people who may be meant, so many are named */
const maxNamed = 20

export const find = defineCommand({
  name: 'find',
  summary: 'What one person got, message by message, and when; for operators',
  parameters: [{ name: 'person' }],
  options: {
    last: {
      type: 'string',
      value: 'LENGTH',
      about: 'of messages accepted within it, such as 24h or 30d; 7d when absent',
    },
  },
  exits: { 0: 'told', 1: 'nobody is called so, or several people are' },
  async execute({ values: { last = '7d' }, parameters, answer, client: connect, look }) {
    const [wanted] = parameters as [string]
    const from = new Date(Date.now() - lengthMsOf('last', last)).toISOString()
    const client = connect()
    const { people } = await client.findPeople({ name: wanted, limit: maxNamed })
    const person = people.find(({ id }) => id === wanted) ?? (people.length === 1 ? people[0] : undefined)
    if (!person) {
      answer({ people }, () => whoIsMeant(people))
      return 1
    }
    const messages = await allOf(client, person.id, from)
    answer({ person: person.id, messages }, () => `${person.name}, ${person.id}\n${tableOf(messages, look)}`)
    return 0
  },
})

const whoIsMeant = (people: readonly PersonView[]) =>
  people.length === 0
    ? 'Nobody is called so.'
    : `Say who, by id:\n${table(people.map(({ id, name, role }) => [id, name, role]))}`

async function allOf(client: Client, person: string, from: string): Promise<PersonReceipts['messages']> {
  const messages: PersonReceipts['messages'] = []
  let to: string | undefined
  do {
    const page = await client.receiptsOfPerson(person, { from, ...(to === undefined ? {} : { to }) })
    messages.push(...page.messages)
    to = page.next
  } while (to !== undefined)
  return messages
}

function tableOf(messages: PersonReceipts['messages'], { moment }: Look): string {
  if (messages.length === 0) return 'No message in this time was for them.'
  const rows = messages.flatMap(({ key, sender, acceptedAt, text, channels, toldByVoice, confirmed }) => {
    const message = [moment(acceptedAt), sender, key, (text.split('\n', 1)[0] as string).slice(0, 40)]
    const told = toldByVoice ? [[...message, 'by voice', moment(toldByVoice.at), `told by ${toldByVoice.by}`, '']] : []
    const receipts = Object.entries(channels).map(([leg, receipt]) => [
      ...message,
      channelName('en', leg),
      receipt.at && moment(receipt.at),
      wholeReceiptWords('en', leg, receipt, moment),
      receipt.detail,
    ])
    const read = confirmed
      ? [[...message, channelName('en', confirmed.channel), moment(confirmed.at), 'confirmed', '']]
      : []
    const known = [...receipts, ...told, ...read]
    return known.length > 0 ? known : [[...message, '', '', 'not begun', '']]
  })
  return table([['accepted', 'sender', 'message', 'text', 'channel', 'since', 'what', 'detail'], ...rows])
}
