/** What whoever has the key of an inbound process can do is what docs/api.md says, and nothing else. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const docs = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')

/** The operations in a column of the table. */
function operationsIn(column: number): string[] {
  const [, table = ''] = docs.split('| by itself | on behalf of a person whose contact it names |')
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? []
  return rows.flatMap((row) => /`([A-Z]+ \S+)`/.exec(row.split('|')[column] ?? '')?.[1] ?? [])
}

const bodies: Record<string, unknown> = {
  'POST /v1/messages': { to: ['group:own'], text: 'x', at: far },
  'PUT /v1/histories/{key}': { to: ['group:own'], text: 'x', at: far },
  'PATCH /v1/histories/{key}': { at: far },
  'POST /v1/histories/{key}/tracker': { timeout: 0 },
  'POST /v1/audiences:resolve': { to: ['group:own'] },
  'POST /v1/enrolments': { channel: 'telegram' },
  'POST /v1/enrolments:redeem': { channel: 'telegram', address: '7001', code: '12345678' },
  'POST /v1/consents': { channel: 'telegram', address: '7001', allowed: true },
  'POST /v1/contacts:hear': { channel: 'telegram', address: '7001', heard: 'message' },
  'POST /v1/contacts:read': { channel: 'telegram', reads: [{ address: '7001', upTo: '1' }] },
  'POST /v1/contacts:set-aside': { channel: 'telegram', reason: 'invalid' },
  'PUT /v1/channels/{channel}/inbound-address': { address: 'university_bot' },
  'POST /v1/answers': { channel: 'telegram', address: '7001', text: 'x' },
  'POST /v1/sign-ins': { person: 'nobody' },
  'POST /v1/sessions': { person: 'nobody', code: '12345678' },
  'PUT /v1/people/{id}/consents/{channel}': { allowed: true },
  'PUT /v1/people/{id}': { name: 'X', role: 'admin' },
  'PUT /v1/groups/{id}': { name: 'X', owners: [] },
  'PUT /v1/cohorts/{id}': { name: 'X', owners: [], groups: [] },
  'POST /v1/groups/{id}/members': { people: ['anna'] },
  'PUT /v1/contacts/{channel}/{person}': { address: '7001' },
  'POST /v1/api-keys': { owner: 'x', role: 'admin', label: 'x' },
}

describe('a leaked key of an inbound process', () => {
  let fleet: University
  let operations: string[]
  before(async () => {
    fleet = await startUniversity()
    const { paths } = fleet.app.swagger() as { paths: Record<string, Record<string, unknown>> }
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith('/v1/') ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`) : [],
    )
  })
  after(() => fleet.stop())

  /** Whether the service lets it in: whatever it answers then is about what was asked. */
  async function isLetIn(operation: string, who: Parameters<University['ask']>[1], person: string): Promise<boolean> {
    const { key } = (await fleet.ask<{ key: string }>('POST /v1/history-keys', who)).json
    const call = operation
      .replace('{key}', key ?? `00.${person}.aaaaaaaaaaaa`)
      .replace('{channel}', 'telegram')
      .replace(/\{(person|id)\}/, operation.includes('/people/') || operation.includes('/contacts/') ? person : 'own')
      .replace('/contacts', operation === 'GET /v1/contacts' ? '/contacts?channel=telegram&address=7001' : '/contacts')
    if (operation.endsWith('/events') && key) await fleet.ask(`DELETE /v1/histories/${key}`, who)
    const { status, json } = await fleet.ask(call, who, bodies[operation])
    expect(status, `${operation}: ${JSON.stringify(json)}`)
      .to.be.below(500)
      .and.not.equal(401)
    return !(status === 403 && /^(not-allowed|wrong-channel)$/.test(json.code as string))
  }

  async function letIn(who: Parameters<University['ask']>[1], person: string): Promise<string[]> {
    const found: string[] = []
    // whoever is unlinked can do nothing more
    for (const operation of [...operations].sort(
      (a, b) => Number(a.startsWith('DELETE /v1/contacts')) - Number(b.startsWith('DELETE /v1/contacts')),
    ))
      if (await isLetIn(operation, who, person)) found.push(operation)
    return found
  }

  it('can do by itself what the documentation says', async () => {
    expect(await letIn({ as: 'inbound' }, 'trainer-1')).to.have.members(operationsIn(1))
  })

  it('can do for a teacher what the documentation says', async () => {
    // whoever signs in is nobody yet, so these are for everyone
    const lent = [...operationsIn(2), 'POST /v1/sign-ins', 'POST /v1/sessions']
    expect(await letIn({ for: 'telegram:7001' }, 'trainer-1')).to.have.members(lent)
  })

  it('can do no more for an admin', async () => {
    const allowed = [...operationsIn(2), 'POST /v1/sign-ins', 'POST /v1/sessions']
    expect(allowed).to.include.members(await letIn({ for: 'telegram:7004' }, 'admin-1'))
  })
})
