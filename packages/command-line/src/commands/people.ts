import type { PersonDetails, PersonView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { contactsOf, contactTable } from '../contact-table.ts'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

export const people = defineCommand({
  name: 'people',
  summary: 'Find people, see one with their contacts, or give one another role',
  parameters: [{ name: 'id', optional: true }],
  options: {
    search: { type: 'string', value: 'WORDS', about: 'of the name or the id' },
    group: { type: 'string', value: 'ID', about: 'only its members' },
    role: { type: 'string', value: 'ROLE', about: 'of one: their role from now on; "fleet roles" lists them' },
    limit: { type: 'string', value: 'COUNT', about: 'at most so many; 100 when absent' },
  },
  exits: { 0: 'told' },
  async execute({ values: { search = '', group, role, limit = '100' }, parameters: [id], answer, client }) {
    if (id === undefined && role !== undefined) throw new UsageError('say whose role it is: people <id> --role <role>')
    if (id !== undefined) {
      if (role !== undefined) await giveRole(client(), id, role)
      const person = await client().person(id)
      answer(person, () => detailsOf(person))
      return 0
    }
    const found = await find(
      client(),
      { name: search, ...(group === undefined ? {} : { group }) },
      countOf('limit', limit),
    )
    answer(found, () => (found.people.length === 0 ? 'Nobody.' : listOf(found)))
    return 0
  },
})

/** All else of the person stays as it is. */
async function giveRole(client: Client, id: string, role: string): Promise<void> {
  const { name, timeZone, language, fields } = await client.person(id)
  await client.putPerson(id, { name, role, timeZone, language, ...(fields ? { fields } : {}) })
}

interface Found {
  readonly people: readonly PersonView[]
  readonly more: boolean
}

const maxPerPage = 1000

async function find(client: Client, filter: { name: string; group?: string }, max: number): Promise<Found> {
  const people: PersonView[] = []
  let after: string | undefined
  do {
    const limit = Math.min(max - people.length, maxPerPage)
    const page = await client.findPeople({ ...filter, limit, ...(after === undefined ? {} : { after }) })
    people.push(...page.people)
    after = page.next
  } while (after !== undefined && people.length < max)
  return { people, more: after !== undefined }
}

function listOf({ people, more }: Found): string {
  const rows = people.map(({ id, name, role, timeZone, language }) => [id, name, role, timeZone, language])
  const list = table([['id', 'name', 'role', 'time zone', 'language'], ...rows])
  return more ? `${list}\n… and more: --limit` : list
}

function detailsOf(person: PersonDetails): string {
  const { id, name, role, timeZone, language, groups } = person
  const facts = table([
    ['id', id],
    ['name', name],
    ['role', role],
    ['time zone', timeZone],
    ['language', language],
    ['groups', groups.join(', ') || 'none'],
  ])
  const contacts = contactsOf(person)
  return `${facts}\n\n${contacts.length === 0 ? 'No contacts.' : contactTable(contacts)}`
}
