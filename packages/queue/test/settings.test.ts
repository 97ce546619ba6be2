/** The settings of the fleet over HTTP: two operators at once, the whole judged, what it was, and back to that. */
import {
  messageTypeBody,
  parseHistoryKey,
  type SettingsChanged,
  type SettingsVersions,
  type SettingsView,
  settingsPatch,
} from '@courier-fleet/api-types'
import { announceProcess, keys, settingsOf } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const night = { from: '22:00', to: '08:00' }
type Refusal = { code: string; field: string; detail: string }

describe('the settings', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const get = async () => (await fleet.ask<SettingsView>('GET /v1/settings', { as: 'operator' })).json
  const patch = <T = SettingsChanged & Refusal>(version: number | undefined, change: unknown) =>
    fleet.ask<T>(
      'PATCH /v1/settings',
      { as: 'operator', ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }) },
      change,
    )
  const restore = (version: number, restored: number) =>
    fleet.ask<SettingsChanged & Refusal>(
      'POST /v1/settings:restore',
      { as: 'operator', headers: { 'if-match': `"${version}"` } },
      { version: restored },
    )

  it('are told with how many processes use the newest, who does not, and not of who has gone', async () => {
    const used = { 'queue-1': 1, 'courier-vk-1': 0, 'courier-vk-2': undefined }
    const [first, ...others] = Object.entries(used).map(([name, settings]) =>
      announceProcess(fleet.redis, { name, role: 'courier' }, () => ({
        ready: true,
        ...(settings === undefined ? {} : { settings }),
      })),
    )
    await Promise.all([first, ...others].map((each) => each?.refresh()))
    await patch(0, { quiet: night })
    const { behind, ...counts } = (await get()).use
    expect(counts).to.deep.equal({ version: 1, using: 1, of: 3 })
    expect(behind.map(({ seenAt: _, ...named }) => named)).to.deep.equal([
      { name: 'courier-vk-1', version: 0 },
      { name: 'courier-vk-2' },
    ])
    for (const { seenAt } of behind) expect(Date.now() - Date.parse(seenAt)).to.be.within(-1_000, 15_000)
    await Promise.all(others.map((each) => each.stop()))
    expect((await get()).use).to.deep.equal({ version: 1, using: 1, of: 1, behind: [] })
    await first?.stop()
  })

  it('are what is usual until somebody sets them, with the version as their ETag', async () => {
    const { json, headers } = await fleet.ask<SettingsView>('GET /v1/settings', { as: 'operator' })
    const { version, ...usual } = settingsOf({})
    const use = { version: 0, using: 0, of: 0, behind: [] }
    expect(json).to.deep.equal({ version, settings: usual, differs: [], use })
    expect(headers.get('etag')).to.equal('"0"')
  })

  it('say of each when it counts', () => {
    const ofChannels = settingsPatch.shape.channels.unwrap().valueType.shape
    const all = [settingsPatch.shape, ofChannels, messageTypeBody.shape].flatMap((shape) => Object.entries(shape))
    for (const [name, { description }] of all) expect(description, name).to.match(/of the moment/i)
  })

  it('are changed one by one; the answer says what changed, and the audit who did it', async () => {
    const first = await patch(0, { quiet: night, channels: { vk: { batchSize: 500, perSecond: 'off' } } })
    expect(first.json).to.deep.include({
      version: 1,
      changes: [
        { setting: 'channels.vk.batchSize', before: null, after: 500 },
        { setting: 'channels.vk.perSecond', before: null, after: 'off' },
        { setting: 'quiet', before: null, after: night },
      ],
      concerns: [],
    })
    expect(first.headers.get('etag')).to.equal('"1"')
    const second = await patch(1, { quietJitterSeconds: 5, channels: { vk: { perSecond: null }, sms: { window: 9 } } })
    expect(second.json.settings).to.deep.include({
      quiet: night,
      quietJitterSeconds: 5,
      channels: { vk: { batchSize: 500 }, sms: { window: 9 } },
    })
    expect((await get()).settings).to.deep.equal(second.json.settings)
    const { lines } = (await fleet.ask<{ lines: object[] }>('GET /v1/audit?limit=1', { as: 'operator' })).json
    expect(lines[0]).to.include({
      action: 'settings.changed',
      by: 'operator-1',
      detail: 'version 2: channels.sms.window, channels.vk.perSecond, quietJitterSeconds',
      before: 'channels.sms.window: null; channels.vk.perSecond: "off"; quietJitterSeconds: 120',
      after: 'channels.sms.window: 9; channels.vk.perSecond: null; quietJitterSeconds: 5',
    })
    const same = await patch(2, { quiet: night })
    expect([same.json.version, same.json.changes]).to.deep.equal([2, []])
  })

  it('name exams of groups there are', async () => {
    const exam = { group: 'own', from: '2030-01-12', to: '2030-01-14' }
    const refused = await patch(0, { exams: [exam, { ...exam, group: 'gone' }] })
    expect([refused.status, refused.json.code, refused.json.field]).to.deep.equal([
      422,
      'unknown-group',
      'exams.1.group',
    ])
    expect((await patch(0, { exams: [{ ...exam, to: '2030-01-11' }] })).json).to.include({ field: 'exams.0.to' })
    expect((await patch(0, { exams: [exam] })).json.settings.exams).to.deep.equal([exam])
  })

  it('are changed by whoever has read them: without a version 428, with an old one 412', async () => {
    expect((await patch(undefined, { quiet: night })).json).to.include({ status: 428, code: 'version-needed' })
    expect((await patch(3, { quiet: night })).json).to.include({
      status: 412,
      code: 'stale-version',
      detail: 'the settings are at version 0, not 3: read them again, then change them',
    })
    expect((await get()).version).to.equal(0)
  })

  it('of two operators at once are those of one, and the other is told', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => patch(0, { quietJitterSeconds: i })))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).to.have.length(1)
    expect(answers.filter(({ json }) => json.code === 'stale-version')).to.have.length(9)
    expect((await get()).settings.quietJitterSeconds).to.equal(won[0]?.json.settings.quietJitterSeconds)
  })

  for (const [what, change, field] of [
    ['no quiet hours', { quiet: { from: '25:00', to: '08:00' } }, 'quiet.from'],
    ['quiet hours that never end', { quiet: { from: '08:00', to: '07:00' } }, 'quiet'],
    ['something unknown', { tides: 1 }, 'tides'],
    ['types, which have calls of their own', { types: [] }, 'types'],
    ['something unknown of a channel', { channels: { vk: { colour: 1 } } }, 'channels.vk.colour'],
    ['a batch of nobody', { channels: { vk: { batchSize: 0 } } }, 'channels.vk.batchSize'],
    ['no number', { retentionDays: 'long' }, 'retentionDays'],
  ] as const)
    it(`refuse ${what}, and nothing is changed`, async () => {
      expect((await patch(0, { quietJitterSeconds: 5, ...change })).json).to.include({
        status: 422,
        code: 'invalid',
        field,
      })
      expect((await get()).version).to.equal(0)
    })

  it('refuse a channel there is none of, and say which was meant', async () => {
    expect((await patch(0, { channels: { smss: { window: 1 } } })).json).to.include({
      status: 422,
      code: 'unknown-channel',
      field: 'channels.smss',
    })
  })

  it('are judged as a whole: messages are kept at least as long as the longest window', async () => {
    await patch(0, { caps: [{ n: 1, per: 'P7D' }] })
    const refused = await patch(1, { retentionDays: 6 })
    expect(refused.json).to.include({ status: 422, field: 'retentionDays' })
    expect(refused.json.detail).to.contain('the longest window of a rule is 7 days')
    expect((await patch(1, { retentionDays: 7 })).json.concerns).to.deep.equal([{ code: 'forgotten', days: 7 }])
    const type = { name: { ru: 'а', en: 'a' }, interval: 'P8D' }
    expect((await fleet.ask('PUT /v1/types/news', { as: 'operator' }, type)).json).to.include({
      status: 422,
      field: 'retentionDays',
    })
  })

  it('have a history: who, when and what; and any version is set again, types with their own numbers', async () => {
    await patch(0, { quiet: night })
    const news = { name: { ru: 'Новости', en: 'News' } }
    await fleet.ask('PUT /v1/types/news', { as: 'operator' }, news)
    await fleet.ask('DELETE /v1/types/news', { as: 'operator' })
    await fleet.ask('PUT /v1/types/exams', { as: 'operator' }, news)
    await patch(4, { quiet: null })

    const { versions } = (await fleet.ask<SettingsVersions>('GET /v1/settings/versions', { as: 'operator' })).json
    expect(
      versions.map(({ version, by, changes }) => [version, by, changes?.map(({ setting }) => setting)]),
    ).to.deep.equal([
      [5, 'operator-1', ['quiet']],
      [4, 'operator-1', ['types.exams']],
      [3, 'operator-1', ['types.news']],
      [2, 'operator-1', ['types.news']],
      [1, 'operator-1', ['quiet']],
    ])
    expect(versions[0]?.changes).to.deep.equal([{ setting: 'quiet', before: night, after: null }])

    const again = await restore(5, 2)
    expect(again.json).to.deep.include({ version: 6 })
    expect(again.json.settings.quiet).to.deep.equal(night)
    expect(again.json.settings.types.map(({ id, number }) => [id, number])).to.deep.equal([['news', 2]])
    await fleet.ask('PUT /v1/types/exams', { as: 'operator' }, news)
    const { types } = (await get()).settings
    expect(types.map(({ id, number }) => [id, number])).to.deep.equal([
      ['exams', 3],
      ['news', 2],
    ])
    expect((await restore(5, 1)).json.code).to.equal('stale-version')
    expect((await restore(7, 99)).json).to.include({ status: 404, code: 'unknown-version' })
    expect((await restore(7, 0)).json.settings).to.deep.include({ quiet: null, types: [] })
  })

  it('are not set again where they name an exam of a group that has gone since, and are where it is named now as well', async () => {
    const exam = { group: 'own', from: '2030-01-12', to: '2030-01-14' }
    const brief = { ...exam, group: 'brief' }
    await fleet.ask('PUT /v1/groups/brief', { as: 'admin' }, { name: 'Brief', owners: [] })
    await patch(0, { exams: [exam, brief], quiet: night })
    await patch(1, { quiet: null })
    await fleet.ask('DELETE /v1/groups/brief', { as: 'admin' })
    expect((await restore(2, 1)).json.settings.quiet).to.deep.equal(night)

    await patch(3, { exams: [exam], quiet: null })
    const refused = await restore(4, 1)
    expect(refused.json).to.include({ status: 422, code: 'group-gone', field: 'exams.1.group' })
    expect(refused.json.detail).to.equal(
      'version 1 names an exam of the group "brief", which there is not any more: make the group again, or change what is to be as it was then by itself',
    )
    expect(await get()).to.deep.include({ version: 4 })
    expect((await restore(4, 0)).json.settings.exams).to.deep.equal([])
  })

  /** a message of this type with a later wave */
  async function heldMessage(id: string, cause: string, dueMs: number, people: number, type = '') {
    const ref = parseHistoryKey(`03.trainer-1.${id}`)
    await fleet.redis.zadd(keys.due('03'), dueMs, `trainer-1:${id}:2`)
    await fleet.redis.hset(keys.history(ref), 'wave:2', `vk ${cause} ${dueMs} ${people} -`)
    if (type !== '') await fleet.redis.hset(keys.history(ref), 'type', type)
  }
  const dryRun = <T = SettingsChanged & Refusal>(call: string, body: unknown, version?: number) =>
    fleet.ask<T>(
      `${call}?dryRun=true`,
      { as: 'operator', ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }) },
      body,
    )

  it('say whom they concern who waits already, before they are changed and then', async () => {
    const dueMs = Date.now() + 3_600_000
    await heldMessage('abcdefgh_-1', 'quiet', dueMs, 1204)
    // no rule has them wait, and they are decided about when they were to be
    await heldMessage('abcdefgh_-2', 'throttled', dueMs - 60_000, 7)
    const first = new Date(dueMs).toISOString()
    const concerns = [{ code: 'held', people: 1204, causes: { quiet: 1204 }, first, atLeast: false }]
    const foreseen = (await dryRun('PATCH /v1/settings', { quiet: night }, 0)).json
    expect(foreseen).to.deep.include({
      version: 0,
      changes: [{ setting: 'quiet', before: null, after: night }],
      concerns,
    })
    expect(await get()).to.deep.include({ version: 0 })
    expect((await fleet.ask<SettingsVersions>('GET /v1/settings/versions', { as: 'operator' })).json).to.deep.equal({
      versions: [],
    })
    expect((await patch(0, { quiet: night })).json.concerns).to.deep.equal(concerns)
    expect((await patch(1, { weights: { urgent: 9, normal: 1, bulk: 1 } })).json.concerns).to.deep.equal([])
    expect((await dryRun('POST /v1/settings:restore', { version: 0 }, 2)).json.concerns).to.deep.equal(concerns)
    expect((await get()).version).to.equal(2)
  })

  it('say what is scheduled that goes by other rules, of a type alone what is of it', async () => {
    const body = { name: { ru: 'Новости', en: 'News' } }
    await fleet.ask('PUT /v1/types/news', { as: 'operator' }, body)
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const [later, sooner] = [at(2), at(1)]
    const send = (fields: object) => fleet.ask('POST /v1/messages', { as: 'operator' }, { text: 'a', ...fields })
    await send({ to: ['group:own'], at: later, type: 'news' })
    await send({ to: ['group:own'], at: sooner })
    const dueMs = Date.now() + 60_000
    await heldMessage('abcdefgh_-1', 'quiet', dueMs, 5)
    await heldMessage('abcdefgh_-2', 'capped', dueMs + 1000, 2, 'news')

    const { json } = await fleet.ask<{ people: string[] }>('GET /v1/groups/own/members', { as: 'operator' })
    const size = json.people.length
    const scheduled = { code: 'scheduled', atLeast: false }
    const held = { code: 'held', atLeast: false }
    const ofNews = [
      { ...held, people: 2, causes: { capped: 2 }, first: new Date(dueMs + 1000).toISOString() },
      { ...scheduled, messages: 1, people: size, first: later },
    ]
    const put = (await dryRun<{ outcome: string; concerns: object[] }>('PUT /v1/types/news', { ...body, level: 5 }))
      .json
    expect(put).to.deep.equal({ id: 'news', outcome: 'updated', concerns: ofNews })
    expect((await dryRun('DELETE /v1/types/news', undefined)).json).to.deep.equal({ id: 'news', concerns: ofNews })
    expect((await dryRun('DELETE /v1/types/never', undefined)).json).to.include({ status: 404, code: 'unknown-type' })
    const other = (await dryRun<{ outcome: string; concerns: object[] }>('PUT /v1/types/other', body)).json
    expect(other).to.deep.equal({ id: 'other', outcome: 'created', concerns: [] })
    expect((await dryRun('PATCH /v1/settings', { interval: 'PT5M' }, 1)).json.concerns).to.deep.equal([
      { ...held, people: 7, causes: { quiet: 5, capped: 2 }, first: new Date(dueMs).toISOString() },
      { ...scheduled, messages: 2, people: 2 * size, first: sooner },
    ])
    expect((await get()).version).to.equal(1)
  })

  it('are judged by a dry run as they would be', async () => {
    expect((await dryRun('PATCH /v1/settings', { interval: 'soon' }, 0)).json).to.include({ status: 422 })
    expect((await dryRun('PATCH /v1/settings', { quiet: night }, 4)).json).to.include({ code: 'stale-version' })
    expect((await dryRun('PATCH /v1/settings', { quiet: night })).json).to.include({ code: 'version-needed' })
    const said = { as: 'operator', headers: { 'if-match': '"0"' } } as const
    expect((await fleet.ask<Refusal>('PATCH /v1/settings?dryRun=yes', said, { quiet: night })).json).to.include({
      field: 'dryRun',
    })
    expect((await get()).version).to.equal(0)
  })

  it('that somebody has spoilt in Redis are named in /readyz, and can be set right', async () => {
    await patch(0, { quiet: night })
    await fleet.redis.xadd(keys.settings, '2-0', 'json', '{"quiet":7}')
    const { problem, version } = await until(async () => {
      const view = await get()
      return view.problem === undefined ? undefined : view
    }, 'the problem is told')
    expect(problem).to.match(/^version 2 of the settings in Redis cannot be used, version 1 still is: quiet/)
    expect(version).to.equal(1)
    const ready = await fleet.ask<{ status: string; warnings: string[] }>('GET /readyz')
    expect(ready.json).to.deep.equal({ status: 'ok', durability: 'master', warnings: [problem] })
    expect((await patch(1, { quietJitterSeconds: 3 })).json.version).to.equal(3)
    expect(await get()).to.deep.include({ version: 3 })
    expect((await fleet.ask<object>('GET /readyz')).json).to.deep.equal({ status: 'ok', durability: 'master' })
  })

  it('are for operators', async () => {
    for (const call of [
      'GET /v1/settings',
      'PATCH /v1/settings',
      'GET /v1/settings/versions',
      'POST /v1/settings:restore',
    ])
      expect((await fleet.ask(call, { as: 'staff' }, call.startsWith('GET') ? undefined : {})).status, call).to.equal(
        403,
      )
  })
})
