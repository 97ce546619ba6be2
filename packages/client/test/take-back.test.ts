/** A whole university's list is loaded with mistakes in it, and taken back: through the client, over a real socket. */
import { type ImportReportView, shardNames } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { type ApiError, takeBackWithProgress } from '../src/index.ts'
import { startFleet } from './fleet.ts'

const size = 3000
const header = 'id,name,role,groups,phone,owns'
const nameOf = (index: number) => `Студент № ${index}`
const phoneOf = (index: number) => `+7900${String(1_000_000 + index)}`
const lineOf = (index: number, phone = '') =>
  `ст-${index},${nameOf(index)},student,${1 + (index % 4)} курс/ИВТ-${100 + (index % 50)},${phone},`
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
/** every 75th line is wrong in one of two ways: 40 of 3000 */
const mistaken = (index: number) =>
  (index / 75) % 2 === 0 ? lineOf(index).replace('student', 'студент') : `${lineOf(index)},лишнее`

describe('an import that is taken back', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  const load = async (lines: readonly string[], leavers?: 'remove') => {
    const csv = [header, ...lines].join('\n')
    const { version } = await fleet.admin.importRoster(csv, { dryRun: true, leavers })
    return fleet.admin.importRoster(csv, { version, leavers })
  }
  const idOf = ({ id }: ImportReportView) => id ?? expect.fail('it has changed nothing')
  const look = (id: string) => fleet.admin.takeImportBack(id)
  const takeBack = async (id: string) => fleet.admin.takeImportBack(id, (await look(id)).version)
  const refusal = (work: Promise<unknown>) => work.then(String, ({ problem }: ApiError) => problem.code)
  /** all that is kept of people and groups, but for journals, the audit and kept answers */
  async function everything(): Promise<Record<string, unknown>> {
    const { redis } = fleet.fixture
    const found: Record<string, unknown> = {}
    const all = await redis.keys('*')
    const isMeant =
      /^(people|person-ids|role|removed-people|former-name|contacts|contact-of|wishes|stop|groups?|members|cohorts?|cohort-groups|topic-members)[:]?/
    for (const key of all.filter((name) => isMeant.test(name)).sort()) {
      const type = await redis.type(key)
      if (type === 'hash') found[key] = await redis.hgetall(key)
      else if (type === 'set') found[key] = (await redis.smembers(key)).sort()
      else if (type === 'zset') found[key] = await redis.zrange(key, '0', '-1')
      else found[key] = await redis.get(key)
    }
    return found
  }

  /** When somebody was last heard of is no part of what a list changes: it goes with them, and does not come back. */
  const withoutSigns = (all: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(all).replaceAll(/\\"heard\\":\d+,/g, '')) as Record<string, unknown>

  it('of 3000 people, with 40 mistakes and 12 who left, leaves nothing of itself', async () => {
    const { admin, service } = fleet
    const stayed = numbers(1, 51)
    const left = numbers(size, size + 12)
    await load([...stayed, ...left].map((index) => lineOf(index, phoneOf(index))))
    // what goes with somebody who leaves
    await admin.setConsent('st-3000', 'sms', { allowed: false })
    await admin.putTopic('choir', { name: { ru: 'Хор', en: 'Choir' }, senders: ['staff'], open: true })
    await service.directory.joinTopic('choir', 'st-3001')
    await service.directory.changeWishes('st-3002', () => ({ off: ['news'] }))
    await admin.setConsent('st-3004', 'sms', { allowed: false })
    await service.directory.unlinkContact('sms', 'st-3004')
    const students = (await admin.people({ limit: 1000 })).people.filter(
      ({ id, role }) => role === 'student' && !id.startsWith('st-'),
    )
    const known = students.map(({ id, name }) => `${id},"${name.replaceAll('"', '""')}",student,,,`)
    // one who leaves, and one who gets another number, have agreed to be written to
    for (const index of [3003, 1])
      await service.directory.linkContact('sms', `st-${index}`, phoneOf(index), {
        consents: true,
        agreed: { by: 'code' },
      })
    const agreedOf = async (id: string) => (await admin.person(id)).contacts.sms?.agreed
    const agreed = [await agreedOf('st-3003'), await agreedOf('st-1')]
    expect(agreed.map((each) => each?.by)).to.deep.equal(['code', 'code'])
    const before = withoutSigns(await everything())

    const own = numbers(0, size).map((index) => {
      if (index % 75 === 0) return mistaken(index)
      // somebody is called otherwise, and has another number
      return index < 11 ? lineOf(index, phoneOf(index + 500_000)).replace('Студент', 'Студентка') : lineOf(index)
    })
    const startedMs = performance.now()
    const loaded = await load([...own, ...known], 'remove')
    const loadedMs = performance.now()
    expect(loaded).to.include({ created: 2910, updated: 10, rejected: 40, removed: 12 })
    expect((await admin.imports()).imports[0]).to.include({ id: loaded.id, whole: true, created: 2910, left: 2932 })

    const id = idOf(loaded)
    const looked = await look(id)
    expect(looked).to.include({ removed: 2910, restored: 10, returned: 12, refused: 0 })
    expect(looked.people.find(({ what }) => what === 'returned')).to.include({ id: 'st-3000', name: nameOf(3000) })
    const unseen = await service.call(`/v1/imports/${id}/take-back`, { method: 'POST', as: 'admin' })
    expect(unseen.json.code).to.equal('version-needed')
    const lookedMs = performance.now()
    const { version: _, ...said } = looked
    const told: [done: number, of: number][] = []
    const onProgress = (done: number, of: number) => void told.push([done, of])
    expect(await takeBackWithProgress(admin, id, looked.version, onProgress)).to.deep.equal(said)
    expect(told[0]).to.deep.equal([0, 2932])
    expect(told.at(-1)?.[0], 'it is told while it is done').to.be.above(0)
    expect(told).to.deep.equal([...told].sort(([a], [b]) => a - b))
    for (const [done, of] of told) expect([done <= of, of]).to.deep.equal([true, 2932])
    const doneMs = performance.now()
    if (process.env.TELL)
      console.log({ loadMs: loadedMs - startedMs, lookMs: lookedMs - loadedMs, backMs: doneMs - lookedMs })

    expect([await agreedOf('st-3003'), await agreedOf('st-1')], 'that and when they have agreed').to.deep.equal(agreed)
    const after = withoutSigns(await everything())
    // whoever left once is named to histories still; that lapses by itself
    for (const key of Object.keys(after)) if (key.startsWith('former-name:')) delete after[key]
    expect(after).to.deep.equal(before)
    expect((await admin.person('st-3000')).contacts.sms).to.include({ state: 'opted-out' })
    expect((await admin.imports()).imports[0])
      .to.include({ id, left: 0 })
      .and.to.have.property('takenBackAt')
    expect(await refusal(admin.takeImportBack(id, looked.version))).to.equal('stale-roster')

    const again = await load([...own, ...known], 'remove')
    expect(again, 'the ids can be given again').to.include({ created: 2910, updated: 10, removed: 12, rejected: 40 })
    await takeBack(idOf(again))
  })

  it('leaves whom somebody has changed since as they are, whole, and names them', async () => {
    const { admin, service } = fleet
    const first = ['a', 'b', 'c', 'd'].map((one) => `x-${one},Икс ${one},student,Старая,,`)
    await load([...first, `x-e,Икс e,student,Старая,${phoneOf(800_000)},`])
    const list = [
      'x-a,Икс А,student,Новая,,',
      'x-b,Икс Б,student,Новая,,',
      `x-e,Икс e,student,,${phoneOf(800_001)},`,
      ...['f', 'g', 'h', 'i'].map(
        (one) => `x-${one},Икс ${one},student,Новая,${phoneOf(800_002 + one.charCodeAt(0))},`,
      ),
      'x-t,Икс Т,trainer,,,Старая',
    ]
    const id = idOf(await load(list))
    await admin.putPerson('x-a', { name: 'Иначе', role: 'student' })
    // the number they had is somebody else's
    await admin.linkContact('sms', 'x-d', phoneOf(800_000))
    await admin.setConsent('x-f', 'sms', { allowed: false })
    await admin.addMembers('own', ['x-g'])
    await admin.linkContact('telegram', 'x-h', '70001')
    await service.call('/v1/messages', { method: 'POST', as: 'admin', body: { to: ['user:x-i'], text: 'x', at: far } })

    const looked = await look(id)
    const whys = Object.fromEntries(looked.people.flatMap((one) => (one.why ? [[one.id, one.why]] : [])))
    expect(whys).to.deep.equal({
      'x-a': 'changed',
      'x-e': 'address-taken',
      'x-f': 'contact',
      'x-g': 'group',
      'x-h': 'contact',
    })
    expect(looked.people.filter(({ isUsed }) => isUsed).map((one) => one.id)).to.deep.equal(['x-i'])
    expect(
      looked.staying.map(({ name }) => name),
      'others are in it',
    ).to.deep.equal(['Новая'])
    await admin.putPerson('x-b', { name: 'Тоже иначе', role: 'student' })
    expect(await refusal(admin.takeImportBack(id, looked.version))).to.equal('stale-roster')
    expect((await admin.person('x-t')).role, 'nothing is done then').to.equal('trainer')

    expect(await takeBack(id)).to.include({ removed: 2, restored: 0, returned: 0, refused: 6 })
    expect((await admin.person('x-a')).groups, 'whole').to.have.members(['novaya', 'staraya'])
    expect((await admin.person('x-e')).contacts.sms).to.include({ address: phoneOf(800_001) })
    expect((await admin.group('staraya')).owners).to.deep.equal([])
    expect(await refusal(admin.person('x-t'))).to.equal('unknown-person')
    expect((await load(['x-t,Икс Т,trainer,,,'])).created, 'the id is free').to.equal(1)
    expect((await load(['x-i,Икс i,student,,,'])).rejected, 'a message names them').to.equal(1)
    // what stood in the way is gone: the rest is put back
    await admin.unlinkContact('sms', 'x-d')
    await admin.putPerson('x-a', { name: 'Икс А', role: 'student', timeZone: 'UTC', language: 'en' })
    expect(await takeBack(id)).to.include({ removed: 0, restored: 2, refused: 4 })
    expect((await admin.person('x-e')).contacts.sms).to.include({ address: phoneOf(800_000) })
    expect(await admin.person('x-a')).to.deep.include({ name: 'Икс a', groups: ['staraya'] })
  })

  it('holds what those have scheduled who may send less by it, and lets go what those have who may again', async () => {
    const { admin, service } = fleet
    await load(['y-t,Игрек,trainer,,,', 'y-s,Сигма,staff,,,'])
    const id = idOf(await load(['y-t,Игрек,staff,,,', 'y-s,Сигма,student,,,']))
    const barred = async () =>
      (await Promise.all(shardNames(2).map((shard) => service.redis.hkeys(keys.barred(shard))))).flat()
    expect(await barred())
      .to.include('y-s')
      .and.not.to.include('y-t')
    expect(await takeBack(id)).to.include({ restored: 2 })
    expect(await barred())
      .to.include('y-t')
      .and.not.to.include('y-s')
    const { lines } = await admin.audit({ limit: 20 })
    expect(lines.map(({ action }) => action)).to.include.members(['import.taken-back', 'person.role'])
    expect(await refusal(look('0123456789abcdef'))).to.equal('unknown-resource')
  })
})

const far = new Date(Date.now() + 300 * 86_400_000).toISOString()
