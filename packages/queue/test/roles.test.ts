/** Roles as operators make them: who may, what is refused, and by what somebody with one is judged. */
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

const dean = { name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: 3 } as const
const trainer = { name: { ru: 'Преподаватель', en: 'Trainer' }, rights: 'trainer', quota: 6 } as const
const person = { name: 'Dina', timeZone: 'UTC', language: 'en' } as const

describe('roles that operators make', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService(undefined, { timeZone: 'UTC', quotas: { trainer: 4, staff: 16 } })
  })
  afterEach(() => service.stop())

  type As = Parameters<Service['call']>[1] extends { as?: infer R } | undefined ? R : never
  const put = (id: string, body: object, { as = 'operator' as As, version = undefined as number | undefined } = {}) =>
    service.call<{ code: string; version: number; field?: string }>(`/v1/roles/${id}`, {
      method: 'PUT',
      as,
      body,
      headers: version === undefined ? {} : { 'if-match': `"${version}"` },
    })
  const remove = (id: string) =>
    service.call<{ code: string; detail: string }>(`/v1/roles/${id}`, { method: 'DELETE', as: 'operator' })
  const putPerson = (id: string, role: string) =>
    service.call<{ code: string }>(`/v1/people/${id}`, { method: 'PUT', as: 'admin', body: { ...person, role } })
  async function fault(
    method: 'DELETE' | 'PATCH' | 'PUT',
    path: string,
    how: { headers: Record<string, string>; body?: object },
  ) {
    const { status, json } = await service.call<{ code: string; field: string }>(path, {
      method,
      as: 'operator',
      ...how,
    })
    return [status, json?.code, json?.field]
  }
  const codes = ({ status, json }: { status: number; json: { code?: string } | undefined }) => [status, json?.code]
  const list = async () =>
    (
      await service.call<{ roles: { id: string; quota: number | null; people: number }[] }>('/v1/roles', {
        as: 'trainer',
      })
    ).json.roles
  async function keyOf(owner: string, role: string) {
    const made = await service.call<{ apiKey: string; id: string }>('/v1/api-keys', {
      method: 'POST',
      as: 'admin',
      body: { owner, role, label: 'x' },
    })
    return made.json
  }
  const by = (apiKey: string, path: string) =>
    service.call<{ code: string; limit: number; role: string }>(path, {
      headers: { authorization: `Bearer ${apiKey}` },
    })

  it('are five from the start, with the quotas of the environment until somebody sets others', async () => {
    const before = await list()
    expect(before.map(({ id, quota }) => [id, quota])).to.deep.equal([
      ['student', null],
      ['trainer', 4],
      ['staff', 16],
      ['operator', null],
      ['admin', null],
    ])
    expect(codes(await put('trainer', trainer))).to.deep.equal([200, undefined])
    expect((await list())[1]?.quota).to.equal(6)
    expect((await service.call<{ limit: number }>('/v1/limits', { as: 'trainer' })).json.limit).to.equal(6)
    expect(codes(await remove('trainer'))).to.deep.equal([409, 'built-in-role'])
    for (const other of [
      { ...trainer, rights: 'staff' },
      { ...trainer, name: dean.name },
    ]) {
      expect(codes(await put('trainer', other))).to.deep.equal([422, 'bad-field'])
    }
  })

  it('are made by operators, never with the rights of an administrator or under the name of a key', async () => {
    expect(codes(await put('dean', dean, { as: 'staff' }))).to.deep.equal([403, 'not-allowed'])
    expect(codes(await put('rector', { ...dean, rights: 'admin' }, { as: 'admin' }))).to.deep.equal([422, 'bad-field'])
    expect(codes(await put('inbound', dean))).to.deep.equal([422, 'bad-field'])
    expect((await put('Dean', dean)).status).to.equal(400)
    const made = await put('dean', dean)
    expect(made.status).to.equal(201)
    expect(codes(await put('medical', dean, { version: made.json.version - 1 }))).to.deep.equal([412, 'stale-version'])
    expect((await put('medical', dean, { version: made.json.version })).status).to.equal(201)
    const { lines } = (
      await service.call<{ lines: { action: string; after?: string }[] }>('/v1/audit', { as: 'operator' })
    ).json
    expect(lines.find(({ action }) => action === 'settings.changed')?.after).to.include('roles.medical')
  })

  it('are not changed under a version that cannot be read', async () => {
    await put('dean', dean)
    for (const named of ['12', 'W/"12"', '"12", "13"', '*', '""']) {
      const headers = { 'if-match': named }
      const answers = await Promise.all([
        fault('PUT', '/v1/roles/dean', { headers, body: { ...dean, quota: 5 } }),
        fault('PUT', '/v1/roles/medical', { headers, body: dean }),
        fault('DELETE', '/v1/roles/dean', { headers }),
        fault('PATCH', '/v1/settings', { headers, body: {} }),
        fault('PUT', '/v1/templates/exam', { headers, body: { name: { ru: 'Экзамен', en: 'Exam' }, text: 'Room 12' } }),
      ])
      for (const answer of answers) expect(answer, named).to.deep.equal([400, 'invalid', 'if-match'])
    }
    expect((await list()).slice(5).map(({ id, quota }) => [id, quota])).to.deep.equal([['dean', 3]])
  })

  it('stay while anybody has one, person or key, also when earlier settings are set again', async () => {
    const { version } = (await put('dean', dean)).json
    expect((await putPerson('dina', 'dean')).status).to.equal(201)
    const { id } = await keyOf('timetable', 'dean')
    const refused = await remove('dean')
    expect(codes(refused)).to.deep.equal([409, 'role-in-use'])
    expect(refused.json.detail).to.include('people with the role dean: 1, API keys: 1')
    const restored = await service.call<{ code: string }>('/v1/settings:restore', {
      method: 'POST',
      as: 'operator',
      body: { version: 0 },
      headers: { 'if-match': `"${version}"` },
    })
    expect(codes(restored)).to.deep.equal([409, 'role-in-use'])
    await putPerson('dina', 'student')
    await service.call(`/v1/api-keys/${id}`, { method: 'DELETE', as: 'admin' })
    expect((await remove('dean')).status).to.equal(204)
    expect(codes(await remove('dean'))).to.deep.equal([404, 'unknown-role'])
    expect(codes(await putPerson('dina', 'dean'))).to.deep.equal([422, 'bad-field'])
  })

  it('say what somebody may do and how much, also by a key of another role', async () => {
    await put('dean', dean)
    await putPerson('dina', 'dean')
    const [hers, less, system] = await Promise.all([
      keyOf('dina', 'staff'),
      keyOf('dina', 'trainer'),
      keyOf('timetable', 'dean'),
    ])
    for (const [{ apiKey }, rights] of [
      [hers, 'staff'],
      [less, 'trainer'],
      [system, 'staff'],
    ] as const) {
      expect((await by(apiKey, '/v1/limits')).json.limit).to.equal(3)
      expect((await by(apiKey, '/v1/sessions/current')).json.role).to.equal(rights)
    }
    const above = await service.call<{ code: string }>('/v1/api-keys', {
      method: 'POST',
      as: 'admin',
      body: { owner: 'dina', role: 'operator', label: 'x' },
    })
    expect(codes(above)).to.deep.equal([422, 'role-above-owner'])
    await put('dean', { ...dean, rights: 'student' })
    expect(codes(await by(hers.apiKey, '/v1/groups'))).to.deep.equal([403, 'not-allowed'])
  })

  it('give nobody anything once nobody knows them', async () => {
    await put('dean', dean)
    await putPerson('dina', 'dean')
    const { apiKey } = await keyOf('dina', 'staff')
    expect((await by(apiKey, '/v1/limits')).status).to.equal(200)
    // as when somebody has written into Redis
    await service.set({})
    expect(codes(await by(apiKey, '/v1/limits'))).to.deep.equal([403, 'not-allowed'])
    const code = await service.call<{ code: string }>('/v1/enrolments', {
      method: 'POST',
      as: 'operator',
      body: { channel: 'sms', person: 'dina' },
    })
    expect(codes(code), 'an operator acts for nobody who may be above them').to.deep.equal([403, 'not-allowed'])
  })

  it('have a budget of a day of their own, or that of those whose rights they have, and take it with them', async () => {
    const day = { trainer: { parts: 9 }, dean: { parts: 2 } }
    const patch = async (budgets: object) => {
      const { version } = (await service.call<{ version: number }>('/v1/settings', { as: 'operator' })).json
      const headers = { 'if-match': `"${version}"` }
      return service.call<{ code: string }>('/v1/settings', {
        method: 'PATCH',
        as: 'operator',
        body: { budgets },
        headers,
      })
    }
    expect((await patch({ day })).status, 'there is no such role yet').to.equal(422)
    await put('dean', { ...dean, rights: 'trainer' })
    const { apiKey } = await keyOf('timetable', 'dean')
    const budgets = async () => (await by(apiKey, '/v1/limits')).json as unknown as { budgets?: { left: number }[] }
    await patch({ day: { trainer: { parts: 9 } } })
    expect((await budgets()).budgets?.map(({ left }) => left)).to.deep.equal([9])
    await patch({ day })
    expect((await budgets()).budgets?.map(({ left }) => left)).to.deep.equal([2])
    const [key] = (
      await service.call<{ apiKeys: { id: string; role: string }[] }>('/v1/api-keys', { as: 'admin' })
    ).json.apiKeys.filter(({ role }) => role === 'dean')
    await service.call(`/v1/api-keys/${key?.id}`, { method: 'DELETE', as: 'admin' })
    expect((await remove('dean')).status).to.equal(204)
  })

  it('leave an administrator: the last one is neither demoted nor removed, nor are their keys revoked', async () => {
    await putPerson('anna', 'admin')
    const { apiKeys } = (
      await service.call<{ apiKeys: { id: string; owner: string; role: string }[] }>('/v1/api-keys', { as: 'admin' })
    ).json
    const anna = await keyOf('anna', 'admin')
    const asAnna = (path: string, method: 'PUT' | 'DELETE', body?: object) =>
      service.call<{ code: string }>(path, {
        method,
        headers: { authorization: `Bearer ${anna.apiKey}` },
        ...(body ? { body } : {}),
      })
    for (const { id, role } of apiKeys) if (role === 'admin') await asAnna(`/v1/api-keys/${id}`, 'DELETE')
    for (const other of await service.directory.peopleOf('admin')) {
      if (other !== 'anna') await asAnna(`/v1/people/${other}`, 'DELETE')
    }
    expect(codes(await asAnna('/v1/people/anna', 'PUT', { ...person, role: 'staff' }))).to.deep.equal([
      409,
      'last-admin',
    ])
    expect(codes(await asAnna('/v1/people/anna', 'DELETE'))).to.deep.equal([409, 'last-admin'])
    await asAnna('/v1/people/otto', 'PUT', { ...person, role: 'admin' })
    expect((await asAnna('/v1/people/anna', 'PUT', { ...person, role: 'staff' })).status).to.equal(200)
  })
})
