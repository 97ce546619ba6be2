/**
 * A whole fleet in this process on a Redis in cluster mode, which has one node and all slots: whatever touches keys of two slots
 * fails at once. At the end every script of lua/ has run, so that one that is added and not driven here is missed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import {
  type ApplicationList,
  type ErasureList,
  type EventView,
  type HistoryView,
  memberOf,
  parseHistoryKey,
  type RebuildView,
  type ShardsView,
  type TrackerReport,
} from '@courier-fleet/api-types'
import type { Item, Outcome } from '@courier-fleet/couriers'
import { createApiKeys } from '@courier-fleet/directory'
import { createNotifier } from '@courier-fleet/notifier'
import { silentLog, systemClock } from '@courier-fleet/process'
import {
  ask as askForConfirmation,
  claimRecheck,
  confirmSigner,
  connectSubscriber,
  createEraseKey,
  createUnread,
  endGrowth,
  generationsFor,
  joinFleet,
  keepRecheck,
  keys,
  markedTags,
  masterOnly,
  readMarks,
  readShards,
  removeValue,
  replaceValue,
  type Snapshot,
  scriptSha,
  settingsOf,
  startLiveSettings,
  unmark,
} from '@courier-fleet/store'
import { createSubscriptions, newSubscriptionId, secretHolder } from '@courier-fleet/subscriptions'
import { generatedId, generatePeople, type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { createHeldPeople, createRetention, createWatcher } from '@courier-fleet/timekeeper'
import {
  createBreakers,
  createGuardedClient,
  guardedSettings,
  newSecret,
  sealingKey,
  sealSecret,
  switchOff,
} from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { presumeAttempted } from '../../packages/backup/src/presume.ts'
import { createDeliveryReports } from '../../packages/couriers/src/engine/delivery-reports.ts'
import { createPacer } from '../../packages/couriers/src/engine/pace/pacer.ts'
import { bindDiaryScripts, type Counting } from '../../packages/couriers/src/engine/rules/diary-scripts.ts'
import { type FakeCourier, fakeCourier } from '../../packages/couriers/test/engine/fake-courier.ts'
import { createFixture, type Fixture } from '../../packages/couriers/test/engine/fixture.ts'
import { bytes } from '../../packages/directory/test/csv-bytes.ts'
import { environment } from '../../packages/notifier/test/fixture.ts'
import { startReceiver } from '../../packages/notifier/test/receiver.ts'
import { startUniversity, type University } from '../../packages/queue/test/university.ts'

const scripts = readdirSync('lua')
  .filter((file) => file.endsWith('.lua'))
  .map((file) => file.slice(0, -4))
/** what scripts answer on purpose */
const ownCodes = new Set(
  scripts.flatMap((name) =>
    [...readFileSync(`lua/${name}.lua`, 'utf8').matchAll(/error_reply\('([A-Z]+)/g)].map(([, code]) => code as string),
  ),
)
const shards = 2
/** its ids fill more than the 16 KB that travel with a message */
const size = 3000
const everyone = ['cohort:everyone']
const far = new Date(Date.now() + 300 * 86_400_000).toISOString()

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** every limit that a script counts */
const rules = {
  timeZone: 'Europe/Moscow',
  quotas: { trainer: 1000 },
  inboundContacts: 100,
  callsPerSecond: { trainer: 1000 },
  stored: { trainer: { messages: 1000, bytes: 1e9 } },
}

describe('a fleet on a cluster', () => {
  let server: OwnRedis
  let fixture: Fixture
  let university: University
  let sms: FakeCourier
  /** what the next item of this text is answered with */
  const answers = new Map<string, (item: Item) => Outcome | Promise<Outcome>>()

  const isLoaded = async (script: string) =>
    ((await fixture.redis.script('EXISTS', scriptSha(script))) as number[])[0] === 1
  const ask = async <T = HistoryView>(
    call: string,
    who: Parameters<University['ask']>[1],
    body?: unknown,
  ): Promise<T> => {
    const { status, json } = await university.ask<T>(call, who, body)
    expect(status, `${call}: ${JSON.stringify(json)}`).to.be.within(200, 299)
    return json
  }
  const send = (body: Record<string, unknown>, as: 'trainer' | 'staff' = 'trainer') =>
    ask('POST /v1/messages', { as }, { to: ['group:own'], ...body })
  const settled = async (key: string) => {
    const view = () => ask(`GET /v1/histories/${key}`, { as: 'admin' })
    await until(async () => (await view()).state === 'settled', 'it has settled')
    return view()
  }

  before(async () => {
    server = await ownRedis({ cluster: true, appendonly: false })
    fixture = await createFixture({ url: server.url, stop: async () => {} })
    await joinFleet(fixture.redis, shards)
    university = await startUniversity(rules, fixture)
    const followed = ['history', 'person', 'group', 'channel'].flatMap((resource) => [0, `${resource}:* subscription`])
    for (const tag of markedTags(shards)) await fixture.redis.zadd(keys.watched(tag), ...followed)
    const answer = (item: Item): Outcome | Promise<Outcome> =>
      answers.get(item.text.slice(item.text.lastIndexOf('\n') + 1))?.(item) ?? {
        kind: 'sent',
        providerId: `id-${item.address}`,
      }
    sms = Object.assign(fakeCourier({ channel: 'sms', foldsResends: false, answer }), { givesReports: true })
    // as on a cluster of several: claims are of a generation of the master
    const generations = generationsFor({ url: server.url, redis: fixture.redis, level: 'replica' }, shards)
    // renewed, and looked for what processes have left behind, again and again
    const how = { generations, leaseMs: 600 }
    await fixture.run(fakeCourier({ channel: 'telegram', batchSize: 500, answer }), how)
    await fixture.run(fakeCourier({ channel: 'vk', batchSize: 500, answer }), how)
    await fixture.run(sms, how)
  })
  after(async () => {
    await university?.stop()
    await fixture?.stop()
    await server?.stop()
  })

  it('keeps people, groups and contacts', async () => {
    const { directory } = fixture
    await directory.importCsv(generatePeople(size, { channels: ['telegram', 'vk'], groupSize: 1000 }))
    for (const person of ['anna', 'boris']) await directory.linkContact('vk', person, '8001')
    await directory.linkContact('vk', 'anna', '8003')
    await directory.linkContact('vk', 'boris', '8002')
    const refusal = { state: 'blocked', reason: 'blocked the community', agoMs: () => 0 } as const
    await directory.markContact('vk', 'boris', '8002', refusal)
    await directory.setConsent('vk', 'boris', true)
    await directory.changeWishes('boris', () => ({ off: ['news'] }))
    expect((await directory.contactsOf('vk', ['anna', 'boris'])).map((each) => each?.wishes?.off)).to.deep.equal([
      undefined,
      ['news'],
    ])
    await directory.unlinkContact('vk', 'boris')
    await directory.linkContact('telegram', 'clara', '9001')
    await ask('GET /v1/people?limit=1000', { as: 'staff' })
    await ask('GET /v1/people/anna', { as: 'staff' })
    await ask('GET /v1/groups/own/members', { as: 'trainer' })
    await directory.deletePerson('dmitri')
  })

  it('accepts, moves and takes back', async () => {
    const { key } = await ask('POST /v1/history-keys', { as: 'trainer' })
    await ask(`PUT /v1/histories/${key}`, { as: 'trainer' }, { to: ['group:own'], text: 'Later', at: far })
    await ask(`PATCH /v1/histories/${key}`, { as: 'trainer' }, { at: far })
    await ask(`POST /v1/histories/${key}/release`, { as: 'operator' })
    await ask(`DELETE /v1/histories/${key}`, { as: 'trainer' })
    expect((await ask(`GET /v1/histories/${key}`, { as: 'trainer' })).state).to.equal('cancelled')
  })

  it('moves and cancels an event with what hangs on it', async () => {
    const exam = 'PUT /v1/events/exam-5'
    await ask(exam, { as: 'trainer' }, { at: far })
    const { key } = await send({ text: 'Exam', event: 'exam-5', offset: -3600 })
    const moved = await ask<EventView>(exam, { as: 'trainer' }, { at: new Date(Date.now() + 86_400_000).toISOString() })
    expect(moved.reminders.map((each) => [each.key, each.became])).to.deep.equal([[key, 'moved']])
    await ask('GET /v1/events', { as: 'trainer' })
    await ask('DELETE /v1/events/exam-5', { as: 'trainer' })
    expect((await ask(`GET /v1/histories/${key}`, { as: 'trainer' })).state).to.equal('cancelled')
  })

  it('brings a message to thousands on two channels, in batches that all processes share', async () => {
    const text = 'To everyone'
    answers.set(text, async ({ address }) => {
      await until(() => isLoaded('renew'), 'a lease was renewed')
      return { kind: 'sent', providerId: `id-${address}` }
    })
    const { key } = await send({ to: everyone, text, channels: ['telegram', 'vk'] }, 'staff')
    const { channels } = await settled(key)
    expect(channels.telegram?.sent).to.equal(size)
    expect(channels.vk?.sent).to.equal(size)
    const { receipts } = await ask<{ receipts: unknown[] }>(`GET /v1/histories/${key}/receipts?limit=1000`, {
      as: 'staff',
    })
    expect(receipts).to.have.length(1000)
    expect(await ask<{ balanced: boolean }>(`GET /v1/histories/${key}/recount`, { as: 'admin' })).to.include({
      balanced: true,
    })
    expect(await ask<string>(`GET /v1/histories/${key}/replay`, { as: 'staff' })).to.include(`"size":${size}`)
  })

  it('brings many small messages of one moment, over all shards', async () => {
    const line = (i: number) =>
      JSON.stringify({ to: [`user:${generatedId(i)}`, `user:${generatedId(i + 1)}`], text: `Note ${i}` })
    const body = Array.from({ length: 60 }, (_unused, index) => line(index)).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const answered = await ask<string>('POST /v1/messages:bulk', { as: 'staff', headers }, body)
    const keys = answered
      .trim()
      .split('\n')
      .map((each) => (JSON.parse(each) as { key: string }).key)
    expect(new Set(keys.map((key) => key.slice(0, 2))).size).to.equal(shards)
    for (const key of keys) expect((await settled(key)).channels.vk?.sent).to.equal(2)
  })

  it('lets somebody wait for a later wave, and ends it when it is cancelled', async () => {
    const text = 'Not now'
    answers.set(text, () => ({ kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'later' }))
    const { key } = await send({ text, channels: ['vk'], to: ['user:anna'] })
    await until(() => isLoaded('defer'), 'somebody waits')
    const { waiting } = await ask(`GET /v1/histories/${key}`, { as: 'trainer' })
    expect(waiting?.map(({ people, channel, cause }) => [people, channel, cause])).to.deep.equal([
      [1, 'vk', 'throttled'],
    ])
    const report = await ask<TrackerReport>(`POST /v1/histories/${key}/tracker`, { as: 'trainer' }, { timeout: 0 })
    expect(report.settled).to.equal(false)
    expect(report.sentence).to.match(/^It is being sent\. Of 1 person: 1 still/)
    await ask(`DELETE /v1/histories/${key}`, { as: 'trainer' })
    expect((await settled(key)).channels.vk?.cancelled).to.equal(1)
  })

  it('calls forward who waits for one cause, and cancels those and nobody else', async () => {
    const text = 'Not for hours'
    answers.set(text, () => ({ kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'later' }))
    const { key } = await send({ text, channels: ['vk'], to: ['user:anna'] })
    const ref = parseHistoryKey(key)
    await until(async () => (await fixture.get(ref)).waiting?.length === 1, 'somebody waits')
    expect(await fixture.histories.callForward(ref, 'quiet')).to.equal(0)
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'trainer-1')).to.equal(0)
    expect((await fixture.get(ref)).waiting?.length).to.equal(1)
    const first = { quiet: { from: '22:00', to: '08:00' } }
    const settings = { first, current: () => settingsOf(first) }
    const heldPeople = createHeldPeople({ redis: fixture.redis, shards, settings, log: silentLog })
    heldPeople.start()
    await until(async () => (await fixture.redis.get(keys.heldRules('01')))?.endsWith(' applied'), 'rules are applied')
    await heldPeople.stop()
  })

  it('sends to whoever is reported online, and to nobody else', async () => {
    const text = 'When you are there'
    const { key } = await send({ text, channels: ['vk'], to: ['group:own'], whenOnline: true })
    const ref = parseHistoryKey(key)
    const people = async () => (await fixture.get(ref)).waiting?.map((each) => `${each.cause} ${each.people}`)
    const { pending } = await until(async () => {
      const { channels } = await fixture.get(ref)
      return (await people())?.[0] === `online ${channels.vk?.pending}` && channels.vk
    }, 'they wait')
    expect(await ask('POST /v1/people:online', { as: 'inbound' }, { people: ['anna', 'nobody'] })).to.deep.equal({
      people: 1,
      unknown: ['nobody'],
    })
    await until(async () => (await fixture.get(ref)).channels.vk?.sent === 1, 'she has it')
    expect((await fixture.get(ref)).channels.vk?.pending).to.equal((pending ?? 0) - 1)
    await ask(`POST /v1/histories/${key}/waiting:cancel`, { as: 'trainer' })
    await settled(key)
  })

  it('sends again to whoever is unknown, and takes the word of somebody who has found out', async () => {
    const text = 'Of nobody known'
    answers.set(text, () => ({ kind: 'unknown', why: 'no answer' }))
    const { key } = await send({ text, channels: ['sms'], to: ['user:trainer-1'] }, 'staff')
    expect((await settled(key)).channels.sms?.unknown).to.equal(1)
    const unknown = { channel: 'sms', people: 'all' }
    await ask(`POST /v1/histories/${key}/receipts:resend`, { as: 'operator' }, unknown)
    await settled(key)
    await ask(`PUT /v1/histories/${key}/told-by-voice/trainer-1`, { as: 'staff' })
    expect((await settled(key)).people?.toldByVoice).to.equal(1)
    await ask(`DELETE /v1/histories/${key}/told-by-voice/trainer-1`, { as: 'staff' })
    await ask(`POST /v1/histories/${key}/receipts:resolve`, { as: 'staff' }, { ...unknown, outcome: 'delivered' })
    expect((await settled(key)).channels.sms?.delivered).to.equal(1)
  })

  it('goes on to the next phone, refused at the first or reported later, with what went as one', async () => {
    const { directory } = fixture
    const [first, second] = ['+79005550311', '+79005550322'] as const
    await directory.linkContact('sms', 'clara', first)
    await directory.addContact('sms', 'clara', second)
    const to = { channels: ['sms'], to: ['user:clara'] }
    const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'not this one' }
    const barred: Outcome = { kind: 'rejected', class: 'blocked', detail: 'barred' }
    const taken = (address: string, text: string): Outcome => ({ kind: 'sent', providerId: `${text}-${address}` })
    answers.set('Later', ({ address }) => taken(address, 'Later'))
    answers.set('At once', ({ address }) => (address === first ? barred : taken(address, 'At once')))
    answers.set('Not at all', () => refused)
    const later = await send({ ...to, text: 'Later' }, 'staff')
    await settled(later.key)
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
    await reports.receive({ providerIds: [`Later-${first}`], state: 'failed', reason: 'out of reach' })
    await until(() => sms.handed.some(({ address }) => address === second), 'the second is tried')
    expect((await settled(later.key)).channels.sms).to.include({ sent: 1, failed: 0 })
    expect((await settled((await send({ ...to, text: 'At once' }, 'staff')).key)).channels.sms?.sent).to.equal(1)
    expect((await settled((await send({ ...to, text: 'Not at all' }, 'staff')).key)).channels.sms?.failed).to.equal(1)
    await directory.unlinkContact('sms', 'clara')
  })

  it('takes a list of second phones back', async () => {
    const { directory } = fixture
    const load = (...phones: string[]) =>
      directory.importCsv(bytes(`id,name,role,phone,phone2\ndora,Dora,student,${phones.join(',')}`))
    await load('+79005550331', '')
    const { id = '' } = await load('+79005550331', '+79005550332')
    const { version = '' } = await directory.takeBackImport(id, { dryRun: true })
    const now = async () => (await directory.getPerson('dora'))?.contacts.sms
    expect((await now())?.others).to.have.length(1)
    await directory.takeBackImport(id, { version })
    expect(await now()).to.deep.equal({ address: '+79005550331', state: 'active' })
    await directory.deletePerson('dora')
  })

  it('corrects a message', async () => {
    const { key } = await send({ text: 'On Monday', channels: ['vk'], to: ['user:anna'] }, 'staff')
    await settled(key)
    await ask(`POST /v1/histories/${key}/corrections`, { as: 'staff' }, { text: 'On Tuesday' })
    const { versions } = await settled(key)
    expect(versions?.[1]?.corrected?.vk).to.include({ followedUp: 1 })
  })

  it('withdraws a message', async () => {
    const { key } = await send({ text: 'On Monday', channels: ['vk'], to: ['user:anna'] }, 'staff')
    await settled(key)
    await ask(`DELETE /v1/histories/${key}?recall=true`, { as: 'staff' })
    expect((await settled(key)).recalled?.channels.vk).to.include({ remaining: 1, pending: 0 })
  })

  it('takes somebody who is erased out of a message', async () => {
    await fixture.directory.putPerson({ id: 'zoe', name: 'Zoe', role: 'student', timeZone: 'UTC', language: 'en' })
    const { key } = await send({ text: 'For two', at: far, to: ['user:anna', 'user:zoe'] }, 'staff')
    await ask('POST /v1/people/zoe:erase', { as: 'admin' }, { reason: 'left' })
    await until(
      async () => (await ask<ErasureList>('GET /v1/erasures', { as: 'admin' })).erasures.length === 0,
      'she is erased',
    )
    expect((await fixture.get(parseHistoryKey(key))).to).to.deep.equal(['user:anna', 'user:~'])
    await ask(`DELETE /v1/histories/${key}`, { as: 'staff' })
  })

  it('takes a confirmation', async () => {
    const text = 'Read this'
    answers.set(text, () => ({ kind: 'sent', providerId: 'to be read' }))
    const { key } = await send({ text, channels: ['sms'], to: ['user:trainer-1'], confirm: true }, 'staff')
    await settled(key)
    const token = (await confirmSigner(fixture.redis))({ ref: parseHistoryKey(key), ordinal: 0, version: 1 })
    await ask('POST /v1/confirmations', { as: 'inbound' }, { channel: 'sms', address: '+79001110001', token })
    expect((await settled(key)).confirmed).to.deep.equal({ yes: 1, no: 0, of: 1 })
    const number = await askForConfirmation(fixture.redis, 'trainer-1', {
      ref: parseHistoryKey(key),
      ordinal: 0,
      version: 1,
    })
    const body = { channel: 'sms', address: '+79001110001', number }
    expect((await ask<{ key: string }>('POST /v1/confirmations', { as: 'inbound' }, body)).key).to.equal(key)
  })

  it('tries again whom no endpoint has taken it for', async () => {
    const text = 'Taken by none'
    let isAsked = false
    answers.set(text, () => {
      isAsked = true
      return { kind: 'not-taken', retryAfterMs: 1, detail: '503', wasAsked: true }
    })
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const { key } = await send({ text, channels: ['sms'], to: ['user:trainer-1'], expires }, 'staff')
    await until(() => isAsked, 'it was tried')
    await fixture.redis.hset(keys.history(parseHistoryKey(key)), 'expires', Date.now() - 1)
    expect((await settled(key)).channels.sms?.failed).to.equal(1)
    answers.set(text, () => ({ kind: 'sent', providerId: 'taken' }))
    const ref = parseHistoryKey(key)
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const untilMs = Date.now() + 60_000
    expect(await fixture.histories.retry(snapshot, { channel: 'sms', untilMs })).to.equal(1)
    expect((await settled(key)).channels.sms?.sent).to.equal(1)
  })

  it('reserves of budgets what SMS are to cost, and settles it', async () => {
    await university.set({ budgets: { month: { parts: 1 }, day: {}, exempt: [] } })
    await fixture.settingsAreKnown()
    const found: (number | undefined)[] = []
    for (const text of ['Once', 'Twice']) {
      answers.set(text, () => ({ kind: 'sent', providerId: text }))
      const { key } = await send({ text, channels: ['sms'], to: ['user:trainer-1'] }, 'staff')
      found.push((await settled(key)).channels.sms?.sent)
    }
    expect(found).to.deep.equal([1, 0])
    await until(() => isLoaded('settle-budget'), 'what was taken is settled')
    await university.set({})
    await fixture.settingsAreKnown()
  })

  it('takes in delivery reports, those that come first too', async () => {
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
    const address = '+79001110001'
    await reports.receive({ providerIds: [`id-${address}`], state: 'delivered' })
    const { key } = await send({ text: 'Report', channels: ['sms'], to: ['user:trainer-1'] }, 'staff')
    await settled(key)
    await until(
      async () => (await ask(`GET /v1/histories/${key}`, { as: 'staff' })).channels.sms?.delivered === 1,
      'it is known',
    )
    await reports.receive({ providerIds: [`id-${address}`], state: 'read' })
    expect((await ask(`GET /v1/histories/${key}`, { as: 'staff' })).channels.sms?.read).to.equal(1)
  })

  it('takes in who has read, of what is noted by then and of what is noted later', async () => {
    const unread = createUnread({ redis: fixture.redis, channel: 'sms' })
    const address = '+79001110001'
    const { key } = await send({ text: 'Read', channels: ['sms'], to: ['user:trainer-1'] }, 'staff')
    await settled(key)
    await unread.note([{ address, providerId: '7', ref: parseHistoryKey(key), leg: 'sms', ordinal: 0 }])
    expect(await unread.read([{ address, providerId: '8' }])).to.equal(1)
    expect((await ask(`GET /v1/histories/${key}`, { as: 'staff' })).channels.sms?.read).to.equal(1)
  })

  it('keeps what an address answered that is asked before a message is sent', async () => {
    const { key } = await send({ text: 'Asked', channels: ['vk'], to: ['user:anna'] })
    const ref = parseHistoryKey(key)
    expect(await claimRecheck(fixture.redis, ref, 0, 'own')).to.deep.equal({ kind: 'own' })
    expect(await claimRecheck(fixture.redis, ref, 0, 'other')).to.deep.equal({ kind: 'asked' })
    const places = new Set([0, 9, 499])
    const answered = { answer: { kind: 'some', places }, tookMs: 7 } as const
    expect(await keepRecheck(fixture.redis, ref, 0, 'other', answered)).to.equal(false)
    for (const _run of ['first', 'again'])
      expect(await keepRecheck(fixture.redis, ref, 0, 'own', answered)).to.equal(true)
    const claim = await claimRecheck(fixture.redis, ref, 0, 'other')
    expect(claim.kind === 'answered' && claim.answer).to.deep.equal({ kind: 'some', places })
    expect(await fixture.redis.hmget(keys.history(ref), 'rechecks-asked', 'rechecks-ok')).to.deep.equal(['1', '1'])
  })

  it('makes again what is due and what is to be done', async () => {
    const { key } = await send({ text: 'Much later', at: far })
    const ref = parseHistoryKey(key)
    await fixture.redis.zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
    answers.set('Not yet', () => ({ kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'later' }))
    const { key: running } = await send({ text: 'Not yet', channels: ['vk'], to: ['user:anna'] })
    await until(async () => (await fixture.get(parseHistoryKey(running))).waiting?.length === 1, 'somebody waits')
    await fixture.redis.zrem(keys.senders(ref.shard), ref.sender)
    const sent = keys.sent(ref.shard, ref.sender)
    const listed = await fixture.redis.xrange(sent, '-', '+')
    await fixture.redis.unlink(sent)
    const found = await ask<RebuildView>('POST /v1/fleet:rebuild', { as: 'admin' }, {})
    expect(found).to.include({ due: 1, entries: 0, indexes: 1 + listed.length })
    expect(await fixture.redis.xrange(sent, '-', '+')).to.deep.equal(listed)
    for (const each of [key, running]) await ask(`DELETE /v1/histories/${each}`, { as: 'trainer' })
  })

  it('presumes after a restore that whoever is pending was sent to', async () => {
    const { directory, redis } = fixture
    await directory.linkContact('mail', 'anna', 'anna@fleet.example')
    const { key } = await send({ text: 'By mail', channels: ['mail'], to: ['user:anna'] })
    await until(async () => (await fixture.get(parseHistoryKey(key))).state === 'running', 'it has started')
    for (const mail of [1, 0])
      expect((await presumeAttempted({ redis, shards, directory })).get('mail'), 'once').to.equal(mail)
    await ask(`DELETE /v1/histories/${key}`, { as: 'trainer' })
  })

  it('keeps to the rate of an account, and to its pauses', async () => {
    for (const slackMs of [undefined, 10]) {
      const rate = { units: 1000, perMs: 1000, ...(slackMs ? { slackMs } : {}) }
      const pacer = createPacer({
        redis: fixture.redis,
        courier: () => ({ channel: 'vk', account: 'paced', rate }),
        weights: () => ({ urgent: 4, normal: 2, bulk: 1 }),
      })
      await pacer.pause(5)
      await pacer.take(2, 'normal', new AbortController().signal)
    }
  })

  it('counts what people are sent, of all buckets in one call', async () => {
    const diary = bindDiaryScripts(fixture.redis)
    const window = 3 * 86_400_000
    const policy: Counting['policy'] = {
      number: 1,
      rules: [{ reason: 'capped', rank: 2, of: 'any', n: 1, window, over: 'drop' }],
      keptMs: window,
      version: 1,
    }
    const message = (id: string): Counting => ({
      ref: { shard: '00', sender: 'dean', id },
      policy,
      channelBit: 1,
      textHash: id.slice(-8),
    })
    const people = Array.from({ length: 100 }, (_unused, i) => generatedId(i))
    const nowMs = Date.now()
    const ask = (id: string) =>
      diary.allow(
        message(id),
        people.map((person, ordinal) => ({ person, ordinal })),
        people.map(() => ({ fromMs: nowMs, toMs: nowMs })),
        nowMs,
      )
    expect((await ask('message-1')).filter((refusal) => refusal)).to.have.length(0)
    const refused = await ask('message-2')
    await diary.contest(message('message-1'), people.slice(0, 10), nowMs, nowMs)
    const entries = refused.flatMap(
      (refusal, i) => refusal?.inTheWay.map((entry) => ({ person: people[i] ?? '', entry })) ?? [],
    )
    await diary.forget(entries.slice(0, 50))
    expect(await diary.giveBack(message('message-1'), people, nowMs, nowMs)).to.equal(50)
    expect((await ask('message-2')).filter((refusal) => refusal)).to.have.length(10)
  })

  it('keeps who is told of changes', async () => {
    const subscriptions = createSubscriptions({ redis: fixture.redis, shards, clock: { now: Date.now } })
    const all = {
      id: '1',
      owner: 'dean',
      url: 'https://example.org/hook',
      resource: 'history',
      sealedSecret: 'sealed',
    } as const
    const made = await subscriptions.create(all)
    await subscriptions.rotate(made.id, 'sealed anew', () => true)
    await subscriptions.mendWatches()
    expect(await subscriptions.list('dean')).to.have.length(1)
    expect(await subscriptions.remove(made)).to.equal(true)
  })

  it('changes what nobody has changed since', async () => {
    const key = keys.fileReference('vk', 'account', 'plan')
    await fixture.redis.set(key, '?lease', 'PX', 60_000)
    const replace = (found: string, wanted: string) =>
      replaceValue(fixture.redis, key, found, { wanted, keptMs: 60_000 })
    expect([await replace('?lease', '=doc-1'), await replace('?lease', '-no room')]).to.deep.equal([true, false])
    await removeValue(fixture.redis, key, '=doc-1')
    expect(await fixture.redis.get(key)).to.equal(null)
  })

  it('links by a code, and signs in by one', async () => {
    const { code } = await ask<{ code: string }>(
      'POST /v1/enrolments',
      { as: 'operator' },
      { channel: 'sms', person: 'anna' },
    )
    await ask('POST /v1/enrolments:redeem', { as: 'inbound' }, { channel: 'sms', address: '+79002220001', code })
    await ask('POST /v1/consents', { as: 'inbound' }, { channel: 'sms', address: '+79002220001', allowed: false })
    const asked = await university.ask('POST /v1/sign-ins', {}, { person: 'trainer-1' })
    // gone from Redis by the time it arrives
    const signInCode = await until(
      () => sms.handed.flatMap(({ text }) => /: (\d{8})\. /.exec(text)?.[1] ?? []).at(-1),
      'the code arrives',
    )
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? ''
    await ask('POST /v1/sessions', { headers: { cookie } }, { person: 'trainer-1', code: signInCode })
    await ask('GET /v1/audit', { as: 'operator' })
  })

  it('takes an application, and accepts it', async () => {
    const [inbound, admin] = [{ as: 'inbound' }, { as: 'admin' }] as const
    await ask('PUT /v1/channels/sms/inbound-address', inbound, { address: '1234' })
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const fields = new URLSearchParams({ name: 'Applicant', wish: 'IVT-101', channel: 'sms' })
    const { json: page } = await university.ask<string>('POST /a', form, fields.toString())
    const [, code] = /%20(\d{8})"/.exec(page) ?? []
    await ask('POST /v1/enrolments:redeem', inbound, { channel: 'sms', address: '+79002220009', code })
    const { applications } = await ask<ApplicationList>('GET /v1/applications', admin)
    await ask(`POST /v1/applications/${applications[0]?.id}:accept`, admin, { group: 'own' })
  })

  it('asks endpoints', async () => {
    const breakers = createBreakers(fixture.redis)
    expect(await breakers.ask('endpoint')).to.deep.equal({ kind: 'go' })
    await breakers.tell('endpoint', { answer: 'failed', said: '500', isProbe: false })
    await breakers.told('endpoint', 0)
    expect(await switchOff(fixture.redis, 'endpoint', 'lms.example.org', true)).to.equal(true)
    expect(await breakers.ask('endpoint')).to.include({ kind: 'off', failingSinceMs: undefined, isTold: true })
  })

  it('says what there is', async () => {
    await ask('GET /v1/histories', { as: 'staff' })
    await ask('POST /v1/audiences:resolve', { as: 'staff' }, { to: everyone })
    await ask('GET /v1/channels', { as: 'operator' })
    await ask('GET /v1/limits', { as: 'trainer' })
    await ask('GET /readyz', {})
    await ask('GET /metrics', {})
  })

  it('looks what is to be recounted', async () => {
    const watcher = createWatcher({
      ...{ redis: fixture.redis, durability: masterOnly, shards, histories: fixture.histories },
      ...{ settings: { current: () => settingsOf({}) }, timeZone: 'Europe/Moscow', languagesOf: async () => [] },
      ...{ name: 'timekeeper', log: silentLog },
    })
    watcher.start()
    try {
      await until(() => isLoaded('to-recount'), 'it has looked')
    } finally {
      await watcher.stop()
    }
  })

  it('forgets what is over', async () => {
    const retention = createRetention({ redis: fixture.redis, shards, keptMs: () => 1, log: silentLog })
    const left = async () =>
      (await ask<{ histories: unknown[] }>('GET /v1/histories', { as: 'staff' })).histories.length
    retention.start()
    try {
      await until(async () => (await left()) === 0, 'nothing is left of it')
    } finally {
      await retention.stop()
    }
  })

  it('has marked what is followed, under the tag it lies under', async () => {
    const kinds = new Set<string>()
    for (const tag of markedTags(shards)) {
      const marks = await readMarks(fixture.redis, tag, 100_000)
      for (const { of } of marks) kinds.add(of.slice(0, of.indexOf(':')))
      await unmark(fixture.redis, tag, marks.slice(0, 100))
    }
    expect([...kinds].sort()).to.deep.equal(['channel', 'group', 'history', 'person'])
  })

  it('tells whoever has subscribed, until they want no more', async () => {
    const { redis, directory, histories } = fixture
    const secret = newSecret()
    const sealing = sealingKey(environment) as NonNullable<ReturnType<typeof sealingKey>>
    const receiver = await startReceiver(() => secret)
    const subscriptions = createSubscriptions({ redis, shards, clock: systemClock })
    const subscriber = connectSubscriber(server.url, { name: 'notifier-events' })
    const settings = await startLiveSettings({ redis, subscriber, log: silentLog })
    const client = createGuardedClient(guardedSettings(environment))
    const apiKeys = createApiKeys({ redis, clock: systemClock })
    const notifier = createNotifier({
      ...{ redis, subscriber, shards, directory, histories, settings, apiKeys, client, sealing },
      figures: { count: () => {} },
      ...{ name: 'notifier', retryScale: 1, runningMs: 1_000, clock: systemClock, log: silentLog },
    })
    await notifier.start()
    try {
      const id = newSubscriptionId()
      const sealedSecret = sealSecret(sealing, secret, secretHolder(id))
      const made = {
        id,
        owner: 'staff-1',
        url: receiver.url,
        resource: 'group',
        resourceId: 'own',
        sealedSecret,
      } as const
      const subscription = await subscriptions.create(made)
      await until(() => receiver.of('own').length === 1, 'the whole came')
      await directory.putGroup({ id: 'own', name: 'Renamed', owners: ['trainer-1'] })
      await until(() => receiver.of('own').length === 2, 'a change came')
      const erase = createEraseKey(redis, { person: 'trainer-1', name: '', addresses: [], by: 'staff-1' })
      expect(await erase(keys.subscriptionViews(id)), 'named among the owners').to.equal(true)
      await subscriptions.remove(subscription)
    } finally {
      await notifier.stop()
      settings.stop()
      await client.close()
      await receiver.stop()
      subscriber.disconnect()
    }
    expect(await redis.keys('subscription-*')).to.deep.equal([])
  })

  it('grows its shards', async () => {
    const { redis } = fixture
    const { laidBy } = await ask<ShardsView>('PUT /v1/shards', { as: 'operator' }, { shards: 16 })
    expect(laidBy).to.equal(shards)
    await endGrowth(redis, masterOnly, await readShards(redis))
    expect(await ask<ShardsView>('GET /v1/shards', { as: 'operator' })).to.include({ shards: 16, laidBy: 16 })
    expect(await redis.get(keys.laidBy('15'))).to.equal('16')
  })

  it('has run every script by now, and none has failed', async () => {
    const missing = []
    for (const script of scripts) if (!(await isLoaded(script))) missing.push(script)
    expect(missing).to.deep.equal([])

    const errors = await fixture.redis.info('errorstats')
    const errorsOf = (kind: string) => Number(new RegExp(`^errorstat_${kind}:count=(\\d+)`, 'm').exec(errors)?.[1] ?? 0)
    expect(errorsOf('CROSSSLOT'), 'commands with keys of two slots').to.equal(0)
    const calls = await fixture.redis.info('commandstats')
    const failed = [...calls.matchAll(/^cmdstat_eval(?:sha)?:.*failed_calls=(\d+)/gm)]
    const meant = ['NOSCRIPT', ...ownCodes].map(errorsOf)
    expect(sum(failed.map(([, count]) => Number(count))), 'failed scripts').to.equal(sum(meant))
  })
})
