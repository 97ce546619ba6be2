/** Where each key lies on a cluster, and that Lua spells keys as TypeScript does: both asked of a real Redis in cluster mode. */
import { readFileSync } from 'node:fs'
import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { type OwnRedis, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { redisUsers } from '../../../scripts/redis-users.mjs'
import { digestOfMember } from '../src/confirm-token.ts'
import { kindOf, places } from '../src/erasure/places.ts'
import { tagOf, tagOfBucket } from '../src/hash-tags.ts'
import { hints, keys } from '../src/keys.ts'
import { slotOf } from './chosen-tags.ts'

const ref: HistoryRef = { shard: '05', sender: 'dean', id: 'abcdefgh_-1' }
const bucket = 11

/** A key of each kind, by what decides about its slot: the column "slot" of lua/README.md. */
const samples: Record<
  'shard' | 'bucket' | 'account' | 'subscriptions' | 'own',
  Partial<Record<keyof typeof keys, string>>
> = {
  shard: {
    history: keys.history(ref),
    record: keys.record(ref),
    secret: keys.secret(ref),
    audience: keys.audience(ref),
    upload: keys.upload(ref, 'attempt'),
    delivery: keys.delivery(ref, 3),
    pieces: keys.pieces(ref, 3),
    receipts: keys.receipts(ref, 'vk'),
    reasons: keys.reasons(ref, 'vk'),
    evidence: keys.evidence(ref, 'vk'),
    tried: keys.tried(ref, 'vk'),
    presence: keys.presence(ref, 'vk'),
    byVoice: keys.byVoice(ref),
    steps: keys.steps(ref),
    merge: keys.merge(ref.shard, ref.sender, 'anna', 'news'),
    versions: keys.versions(ref),
    confirmed: keys.confirmed(ref),
    inTime: keys.inTime(ref),
    confirmOf: keys.confirmOf(ref.shard, digestOfMember(ref)),
    recheck: keys.recheck(ref, 3),
    due: keys.due(ref.shard),
    retention: keys.retention(ref.shard),
    barred: keys.barred(ref.shard),
    heldRules: keys.heldRules(ref.shard),
    laidBy: keys.laidBy(ref.shard),
    held: keys.held(ref.shard),
    expiry: keys.expiry(ref.shard),
    channels: keys.channels(ref.shard),
    waiting: keys.waiting(ref.shard),
    stats: keys.stats(ref.shard, 494_300),
    work: keys.work(ref.shard, 'vk', 'normal'),
    about: keys.about(ref.shard, ref.sender, 'anna:coupon:17'),
    event: keys.event(ref.shard, ref.sender, 'exam-5'),
    reminders: keys.reminders(ref.shard, ref.sender, 'exam-5'),
    senders: keys.senders(ref.shard),
    sent: keys.sent(ref.shard, ref.sender),
    watched: keys.watched(tagOf(ref.shard)),
    dirty: keys.dirty(tagOf(ref.shard)),
  },
  bucket: {
    people: keys.people(bucket),
    providerId: keys.providerId(bucket, 'vk', '42'),
    unread: keys.unread(bucket, 'vk', '42'),
    durable: keys.durable(tagOfBucket(bucket)),
    personIds: keys.personIds(bucket),
    removedPeople: keys.removedPeople(bucket),
    role: keys.role(bucket, 'student'),
    contacts: keys.contacts(bucket, 'vk'),
    stops: keys.stops(bucket, 'vk'),
    wishes: keys.wishes(bucket),
    diary: keys.diary(bucket, '2026-09-01'),
    waitingOnline: keys.waitingOnline(bucket, 'anna'),
    online: keys.online(bucket, 'anna'),
    asked: keys.asked(bucket, 'anna'),
  },
  account: {
    pause: keys.pause('vk', 'account'),
    turns: keys.turns('vk', 'account'),
    slots: keys.slots('vk', 'account'),
    fileReference: keys.fileReference('vk', 'account', 'V1StGXR8Z5jd'),
    breaker: keys.breaker('vk', 'account'),
  },
  subscriptions: {
    subscription: keys.subscription('0123456789abcdef'),
    subscriptionLease: keys.subscriptionLease('0123456789abcdef'),
    subscriptionDue: keys.subscriptionDue('0123456789abcdef'),
    subscriptionsDue: keys.subscriptionsDue,
    subscriptionAgain: keys.subscriptionAgain('0123456789abcdef'),
    subscriptionViews: keys.subscriptionViews('0123456789abcdef'),
    subscriptionSending: keys.subscriptionSending('0123456789abcdef'),
    subscribed: keys.subscribed,
    subscriptionsOf: keys.subscriptionsOf('dean'),
  },
  own: {
    channelPause: keys.channelPause('vk'),
    budget: keys.budget('dean:day:2026-09-01:parts'),
    contactChannels: keys.contactChannels,
    contactOf: keys.contactOf('sms', '+79001234567'),
    group: keys.group('ivt-101'),
    members: keys.members('ivt-101'),
    cohort: keys.cohort('year-1'),
    cohortGroups: keys.cohortGroups('year-1'),
    topic: keys.topic('choir'),
    topicMembers: keys.topicMembers('choir'),
    topics: keys.topics,
    template: keys.template('exam-room'),
    templates: keys.templates,
    groups: keys.groups,
    cohorts: keys.cohorts,
    imports: keys.imports,
    ofImport: keys.ofImport('0123456789abcdef'),
    importPeople: keys.importPeople('0123456789abcdef'),
    apiKey: keys.apiKey('0123456789abcdef'),
    apiKeys: keys.apiKeys,
    events: keys.events('dean'),
    quota: keys.quota('dean'),
    same: keys.same('dean', 'abc'),
    limit: keys.limit('codes', 'dean'),
    calls: keys.calls('dean'),
    stored: keys.stored('dean'),
    storedFiles: keys.storedFiles('dean'),
    inboundAddresses: keys.inboundAddresses,
    enrolment: keys.enrolment('vk', 'digest'),
    applications: keys.applications,
    enrolmentOf: keys.enrolmentOf('anna', 'vk'),
    signIn: keys.signIn('digest'),
    browser: keys.browser('digest'),
    sessions: keys.sessions('anna'),
    formerName: keys.formerName('anna'),
    session: keys.session('digest'),
    audit: keys.audit,
    erasures: keys.erasures,
    erasureLease: keys.erasureLease('job'),
    idempotency: keys.idempotency('dean', 'key'),
    fleet: keys.fleet,
    openBreakers: keys.openBreakers('http'),
    settings: keys.settings,
    figures: keys.figures,
    takeOvers: keys.takeOvers,
    happened: keys.happened,
    statsHour: keys.statsHour(494_300),
    alarms: keys.alarms,
    watcher: keys.watcher,
    told: keys.told('redis-full'),
    oneClickSecret: keys.oneClickSecret,
    webhookSecrets: keys.webhookSecrets('anna'),
    ready: keys.ready,
    targets: keys.targets,
    process: keys.process('queue-1'),
    processes: keys.processes,
    deliveries: keys.deliveries('0123456789abcdef'),
  },
}
/** A channel of pub/sub of each kind, likewise. */
const told: Partial<Record<keyof typeof samples, Partial<Record<keyof typeof hints, string>>>> = {
  shard: {
    change: hints.change(ref),
    dueHead: hints.dueHead(ref.shard),
    workOf: hints.workOf(ref.shard, 'vk'),
    marked: hints.marked(tagOf(ref.shard)),
  },
  subscriptions: { subscription: hints.subscription },
  own: { settings: hints.settings },
}
const tags = {
  shard: tagOf(ref.shard),
  bucket: tagOfBucket(bucket),
  account: 'vk:account',
  subscriptions: 'subscriptions',
  own: undefined,
}

/** The functions of lua/lib/keys.lua, and their parameters. */
const library = readFileSync(new URL('../../../lua/lib/keys.lua', import.meta.url), 'utf8')
const inLua = [...library.matchAll(/^local function (\w+)_(?:key|channel)\(([\w, ]+)\)/gm)].map(
  ([call = '', kind = '', parameters = '']) => ({
    name: call.slice('local function '.length, call.indexOf('(')),
    builder: kind.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()) as
      | keyof typeof keys
      | keyof typeof hints,
    parameters: parameters.split(', '),
  }),
)
const values: Record<string, string | number> = {
  tag: tagOf(ref.shard),
  ptag: tagOfBucket(bucket),
  message: memberOf(ref),
  about: 'anna:coupon:17',
  event: 'exam-5',
  attempt: 'attempt',
  wave: 3,
  leg: 'vk',
  hour: 494_300,
  channel: 'vk',
  class: 'normal',
  sender: ref.sender,
  id: '42',
  address: '42',
  day: '2026-09-01',
  person: 'anna',
  type_id: 'news',
}

describe('keys on a cluster', () => {
  let server: OwnRedis
  let redis: Redis
  before(async () => {
    server = await ownRedis({ cluster: true, appendonly: false })
    redis = server.redis()
  })
  after(() => server.stop())

  it('there is a sample of every kind, once', () => {
    const kinds = Object.values(samples).flatMap((each) => Object.keys(each))
    expect(kinds).to.have.members(Object.keys(keys))
    expect(Object.values(told).flatMap((each) => Object.keys(each))).to.have.members(Object.keys(hints))
    expect(new Set(Object.values(samples).flatMap((each) => Object.values(each))).size).to.equal(kinds.length)
  })

  it('it is said of every kind what of a person can be in it', () => {
    const kinds = Object.values(samples).flatMap((each) => Object.values(each).map(kindOf))
    expect([...places.keys()]).to.have.members([...new Set(kinds)])
  })

  for (const [place, each] of Object.entries(samples) as [keyof typeof tags, Record<string, string>][]) {
    it(`lie where they are meant to: ${place}`, async () => {
      for (const [kind, key] of Object.entries({ ...each, ...told[place] }))
        expect(await redis.cluster('KEYSLOT', key), `${kind}: ${key}`).to.equal(slotOf(tags[place] ?? key))
    })
  }

  it("lua/README.md says so of all that are not a message's", () => {
    const readme = readFileSync(new URL('../../../lua/README.md', import.meta.url), 'utf8')
    const slots = new Map<string, string>()
    for (const [, names = '', slot = ''] of readme.matchAll(/^\| (`[^|]+) \| (\w+) \|/gm))
      for (const [, kind = ''] of names.matchAll(/`([\w-]+)/g)) slots.set(kind, slot)
    for (const [place, each] of Object.entries(samples).filter(([place]) => place !== 'shard'))
      for (const key of Object.values(each)) expect(slots.get(key.split(':')[0] as string), key).to.equal(place)
  })

  it('Lua spells each as TypeScript does', async () => {
    const calls = inLua.map(({ name, parameters }) => {
      for (const parameter of parameters) expect(values, name).to.have.property(parameter)
      return `${name}(${parameters.map((parameter) => JSON.stringify(values[parameter])).join(', ')})`
    })
    const spelled = await redis.eval(`${library}\nreturn { ${calls.join(', ')} }`, 0)
    const known: Partial<Record<keyof typeof keys | keyof typeof hints, string>> = Object.assign(
      {},
      ...Object.values(samples),
      told.shard,
    )
    expect(inLua.length).to.equal([...library.matchAll(/^local function \w+_(?:key|channel)\(/gm)].length)
    expect(spelled).to.deep.equal(inLua.map(({ builder }) => known[builder]))
  })
})

describe("Redis's users", () => {
  const passwords = { queue: 'x', courier: 'y', notifier: 'n', timekeeper: 'z' }
  const users = redisUsers(passwords).map((line) => line.split(' ').slice(1))
  let server: OwnRedis
  let redis: Redis
  before(async () => {
    server = await ownRedis({ appendonly: false })
    redis = server.redis()
    for (const [name = '', ...rules] of users) await redis.acl('SETUSER', name, ...rules)
  })
  after(() => server.stop())

  /** Of all users, those who may do this. */
  async function allowed(command: string, key: string, ...more: string[]): Promise<string[]> {
    const names = Object.keys(passwords)
    const answers = await Promise.all(names.map((name) => redis.acl('DRYRUN', name, command, key, ...more)))
    return names.filter((_name, index) => String(answers[index]) === 'OK')
  }

  for (const [kind, key] of Object.entries(Object.assign({}, ...Object.values(samples)) as Record<string, string>))
    it(`somebody may write ${kind}`, async () => expect(await allowed('UNLINK', key), key).not.to.deep.equal([]))

  for (const [kind, channel] of Object.entries(Object.assign({}, ...Object.values(told)) as Record<string, string>))
    it(`somebody may tell of ${kind}, and somebody is told`, async () => {
      expect(await allowed('SPUBLISH', channel, 'x'), channel).not.to.deep.equal([])
      expect(await allowed('SSUBSCRIBE', channel), channel).not.to.deep.equal([])
    })

  it('may all ask who is in a cluster', async () => {
    for (const what of ['SLOTS', 'INFO']) expect(await allowed('CLUSTER', what)).to.have.members(Object.keys(passwords))
  })

  it('have no rule for a key that there is not', () => {
    const kinds = new Set(Object.values(samples).flatMap((each) => Object.values(each).map((key) => key.split(':')[0])))
    for (const [name, ...rules] of users)
      for (const rule of rules) {
        const [, kind] = /^(?:%R)?~([^:]+)/.exec(rule) ?? []
        if (kind !== undefined) expect([...kinds], `${name}: ${rule}`).to.include(kind)
      }
  })
})
