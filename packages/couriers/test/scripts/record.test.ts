import { readFileSync } from 'node:fs'
import { memberOf, reasonBytes } from '@courier-fleet/api-types'
import { keys, tagOf } from '@courier-fleet/store'
import { expect } from 'chai'
import { dump } from '../../../store/test/scripts/dump.ts'
import { type Claim, Fenced } from '../../src/engine/claims/claim.ts'
import { type ClaimScripts, recordArgument } from '../../src/engine/claims/claim-scripts.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  evidenceOf,
  noEvidence,
  record as recordClaim,
  report,
  shard,
  waiting,
  wakeDue,
} from './claim-fixture.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

async function expectFenced(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(Fenced)
}

/** lua/record.lua as it is sent to Redis. */
function recordScript(): string {
  const read = (name: string) => readFileSync(`lua/${name}.lua`, 'utf8')
  return `#!lua\n${read('record')}`.replace(/^--#include (\S+)$/gm, (_line, name: string) => read(`lib/${name}`))
}

describe('lua: record, split and renew', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  let claim: Claim
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
    await fixture.put(4)
    await wakeDue(fixture)
    claim = await claimWork(streams)
  })
  afterEach(() => fixture.stop())

  const hash = () => fixture.redis.hgetall(keys.history(claim.ref))
  const record = (text: string, done = false, evidence = noEvidence) =>
    recordClaim(scripts, claim, bytes(text), evidence, done)

  it('writes the bytes, counts them, keeps evidence; the second run changes nothing', async () => {
    const evidence = new Map([
      [0, '#1'],
      [1, '!blocked'],
    ])
    expect((await record('aa==')).toString('latin1')).to.equal('aa\0\0')
    expect((await record('sf==', false, evidence)).toString('latin1')).to.equal('sf\0\0')
    const once = await dump(fixture.redis)
    await record('sf==', false, evidence)
    expect(await dump(fixture.redis)).to.deep.equal(once)
    expect(await hash()).to.include({ 'vk:s': '1', 'vk:f': '1', state: 'running' })
    expect(await evidenceOf(fixture, claim.ref, 4)).to.deep.equal({ '0': '#1', '1': '!blocked' })
  })

  it('attempts nobody who was erased, and keeps nothing of them but the bytes', async () => {
    expect((await record('=a=a')).toString('latin1')).to.equal('\0a\0a')
    // as erase-recipient leaves it
    await fixture.redis.hset(keys.history(claim.ref), 'erased', ',1,2,')
    // pending and not sent to; attempted, of which nobody knows; and the two others as ever
    expect((await record('aaaa')).toString('latin1')).to.equal('auna')
    const evidence = new Map([0, 1, 2, 3].map((ordinal) => [ordinal, `#${ordinal}`]))
    expect((await record('ssss', false, evidence)).toString('latin1')).to.equal('ssns')
    expect(await evidenceOf(fixture, claim.ref, 4)).to.have.keys('0', '3')
    await report(fixture, claim.ref, 1, { state: 'failed', reason: 'told later' })
    expect(await evidenceOf(fixture, claim.ref, 4)).to.have.keys('0', '3')
  })

  it('keeps evidence only where the state was taken', async () => {
    await record('an==')
    await record('s===', false, new Map([[0, '#1']]))
    await record(
      'xs==',
      false,
      new Map([
        [0, '!late'],
        [1, '#2'],
      ]),
    )
    expect(await evidenceOf(fixture, claim.ref, 4)).to.deep.equal({ '0': '#1' })
    expect(await hash()).to.include({ 'vk:s': '1', 'vk:n': '1' })
  })

  it("keeps the provider's id where the receipt was faster than the answer", async () => {
    await record('aa==')
    await report(fixture, claim.ref, 0, { state: 'delivered' })
    await report(fixture, claim.ref, 1, { state: 'failed', reason: 'no such subscriber' })
    const answers = new Map([
      [0, '#1'],
      [1, '#2'],
    ])
    expect((await record('ss==', false, answers)).toString('latin1')).to.equal('df\0\0')
    expect(await evidenceOf(fixture, claim.ref, 4)).to.deep.equal({
      '0': '#1',
      '1': '!no such subscriber',
    })
  })

  it('settles the history with the last receipts, once, and takes the entry off its stream', async () => {
    await record('aaaa')
    await record('ssss', true)
    const once = await dump(fixture.redis)
    expect(await hash()).to.include({ state: 'settled', 'vk:open': '0' })
    expect(await fixture.redis.xlen(claim.stream)).to.equal(0)
    await expectFenced(record('ffff', true))
    expect(await dump(fixture.redis)).to.deep.equal(once)
  })

  it('settles a leg of a message for one person with what is counted of it, and the history with the last leg', async () => {
    const sms = await fixture.process('sms')
    const ref = await fixture.put(1, { channels: ['sms', 'vk'] })
    await wakeDue(fixture)
    const own = await claimWork(streams)
    const theirs = (await sms.streams.read(shard, 'normal', 1))[0] as Claim
    const history = () => fixture.redis.hgetall(keys.history(ref))
    const waitingPeople = () => fixture.redis.hmget(keys.waiting(shard), 'vk', 'sms')

    await recordClaim(scripts, own, bytes('a'), noEvidence, false)
    await recordClaim(scripts, own, bytes('u'), noEvidence, false)
    expect(await history()).to.include({ 'vk:u': '1', 'vk:open': '1' })
    await recordClaim(scripts, own, bytes('s'), new Map([[0, '#7']]), true)
    expect(await history()).to.include({ state: 'running', 'vk:open': '0', 'vk:u': '0', 'vk:s': '1' })
    expect(await history()).to.have.property('vk:settled')
    expect(await history()).not.to.have.property('settled')
    // the four of the message before wait, too
    expect(await waitingPeople()).to.deep.equal(['4', '1'])

    await recordClaim(sms.scripts, theirs, bytes('n'), noEvidence, true)
    const once = await dump(fixture.redis)
    expect(await history()).to.include({ state: 'settled', 'sms:open': '0', 'sms:n': '1', 'vk:s': '1' })
    expect(await waitingPeople()).to.deep.equal(['4', null])
    expect(await fixture.redis.zscore(keys.retention(shard), memberOf(ref))).to.equal((await history()).settled)
    await expectFenced(recordClaim(sms.scripts, theirs, bytes('f'), noEvidence, true))
    expect(await dump(fixture.redis)).to.deep.equal(once)
  })

  it('takes apart what a claim says: condition, costs, texts, reasons and lines that hold blanks', async () => {
    const entry = { claim: { ...claim, unless: 'sms=sd' }, version: 1, done: false, from: 0, costs: [1, undefined] }
    const wrong = Buffer.from([reasonBytes.blocked, 0, 0, 0])
    const evidence = ['!said: "no", twice', '#12', '', '']
    await scripts.record([{ ...entry, bytes: bytes('aaaa'), evidence: [] }])
    await scripts.record([{ ...entry, bytes: bytes('fs=='), reasons: wrong, evidence }])
    expect(await evidenceOf(fixture, claim.ref, 4)).to.deep.equal({ '0': '!said: "no", twice', '1': '#12' })
    expect(await fixture.redis.getrange(keys.reasons(claim.ref, 'vk'), 0, 3)).to.equal(wrong.toString('latin1', 0, 1))
    expect(await hash()).to.include({ 'vk:f': '1', 'vk:s': '1' })
  })

  it('refuses another consumer, another delivery count, and what was taken over', async () => {
    const other = await fixture.process('vk', 'vk-b')
    const before = await dump(fixture.redis)
    await expectFenced(recordClaim(other.scripts, claim, bytes('aaaa'), noEvidence, false))
    await expectFenced(recordClaim(scripts, { ...claim, deliveries: 2 }, bytes('aaaa'), noEvidence, false))
    expect(await dump(fixture.redis)).to.deep.equal(before)

    const [taken] = (await other.streams.takeOver(shard, 0, 10)) as [Claim]
    expect(taken.deliveries).to.equal(2)
    for (const call of [
      () => record('ssss', true),
      () => scripts.split(claim, 1),
      () => scripts.defer(claim, [waiting(0, 4, 10, 1)]),
    ])
      await expectFenced(call())
    await recordClaim(other.scripts, taken, bytes('nnnn'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:n': '4' })
  })

  it('without its fence would let two processes send to the same people', async () => {
    const marked = recordArgument({ claim, from: 2, bytes: bytes('aa'), evidence: [], version: 1, done: false })
    const stale = (script: string) => fixture.redis.eval(script, 1, claim.stream, 'vk', 'vk-a', tagOf(shard), marked)
    await record('aa==')
    const other = await fixture.process('vk', 'vk-b')
    const [taken] = (await other.streams.takeOver(shard, 0, 10)) as [Claim]
    expect((await recordClaim(other.scripts, taken, bytes('==aa'), noEvidence, false)).toString()).to.equal('aaaa')
    expect(await stale(recordScript()), 'with it the first is told nothing').to.deep.equal([null])
    const fence = 'own ~= nil and own[4] == claim.deliveries, own and own[3]'
    const granted = await stale(recordScript().replace(fence, 'true, 0'))
    expect(granted, 'without it both may send').to.deep.equal(['aa'])
  })

  it('a process that takes its own claim over again is fenced from its former self', async () => {
    const [again] = (await streams.takeOver(shard, 0, 10)) as [Claim]
    await expectFenced(record('aaaa'))
    await recordClaim(scripts, again, bytes('aaaa'), noEvidence, false)
  })

  for (const [what, field, value, fresh] of [
    ['cancelled', 'cancelled', '1', 'x'],
    ['expired', 'expires', '1', 'e'],
  ] as const) {
    it(`grants no attempt once ${what}; what was being attempted becomes unknown, an answer still counts`, async () => {
      await record('aa==')
      await fixture.redis.hset(keys.history(claim.ref), field, value)
      expect((await record('=aa=')).toString('latin1')).to.equal(`au${fresh}\0`)
      expect((await record('s===')).toString('latin1')).to.equal(`su${fresh}\0`)
      expect(await hash()).to.include({ 'vk:s': '1', 'vk:u': '1', [`vk:${fresh}`]: '1' })
    })
  }

  it('settles a history of two channels when the second has, each with an entry of its own', async () => {
    const [vk, sms] = [await fixture.process('vk', 'vk-c'), await fixture.process('sms', 'sms-a')]
    await record('nnnn', true)
    const ref = await fixture.put(1)
    await wakeDue(fixture)
    const [one, two] = [await claimWork(vk.streams), await claimWork(sms.streams)]
    expect([one.ref, two.ref]).to.deep.equal([ref, ref])
    await recordClaim(vk.scripts, one, bytes('n'), noEvidence, true)
    expect(await fixture.redis.hgetall(keys.history(ref))).to.include({ state: 'running', expected: 'sms,vk' })
    expect([await fixture.redis.xlen(one.stream), await fixture.redis.xlen(two.stream)]).to.deep.equal([0, 1])
    await recordClaim(sms.scripts, two, bytes('n'), noEvidence, true)
    expect(await fixture.redis.hgetall(keys.history(ref))).to.include({ state: 'settled' })
    expect(await fixture.redis.xlen(two.stream)).to.equal(0)
  })

  it('writes reasons with the receipts they are of, and none where the state was not taken', async () => {
    const reasons = async () => ((await fixture.redis.get(keys.reasons(claim.ref, 'vk'))) ?? '').padEnd(4, '\0')
    await record('aaa=')
    const refused = Buffer.from([0, reasonBytes.blocked, reasonBytes.refused, 0])
    await recordClaim(scripts, claim, bytes('sff='), noEvidence, false, refused)
    expect(await reasons()).to.equal('\0BR\0')
    const late = Buffer.alloc(4, reasonBytes.invalid)
    await recordClaim(scripts, claim, bytes('ffff'), noEvidence, false, late)
    expect(await reasons(), 'only the last had no final receipt; the first had only been sent').to.equal('IBRI')
    expect(await hash()).to.include({ 'vk:f': '4' })
  })

  it('says why somebody is unknown, or expired, who was not granted an attempt', async () => {
    await record('a===')
    await fixture.redis.hset(keys.history(claim.ref), 'expires', 1)
    const held: Claim = { ...claim, cause: 'throttled' }
    expect((await recordClaim(scripts, held, bytes('aa=='), noEvidence, false)).toString('latin1')).to.equal('ue\0\0')
    expect(await fixture.redis.get(keys.reasons(claim.ref, 'vk'))).to.equal('AT')
  })

  it('grants no attempt to whoever has it by a leg that the condition names', async () => {
    await fixture.redis.set(keys.receipts(claim.ref, 'sms'), 'sdf')
    await record('==a=')
    const step: Claim = { ...claim, unless: 'sms=sdrc' }
    expect((await recordClaim(scripts, step, bytes('aaaa'), noEvidence, false)).toString('latin1')).to.equal('xxaa')
    expect(await fixture.redis.get(keys.reasons(claim.ref, 'vk'))).to.equal('zz')
    await fixture.redis.setrange(keys.receipts(claim.ref, 'sms'), 2, 'c')
    const again = await recordClaim(scripts, step, bytes('==aa'), noEvidence, false)
    expect(again.toString('latin1'), 'an attempt that is not resolved stays in doubt').to.equal('xxua')
    for (const { balanced } of await fixture.histories.recount(claim.ref)) expect(balanced).to.equal(true)
  })

  it('renew starts the lease anew for its owner, never for another, and counts no delivery', async () => {
    const other = await fixture.process('vk', 'vk-b')
    const before = await dump(fixture.redis)
    expect(await scripts.renew([claim])).to.deep.equal([true])
    expect(await scripts.renew([claim])).to.deep.equal([true])
    expect(await other.scripts.renew([claim])).to.deep.equal([false])
    expect(await dump(fixture.redis)).to.deep.equal(before)
    await other.streams.takeOver(shard, 0, 10)
    expect(await scripts.renew([claim])).to.deep.equal([false])
  })

  it('split cuts everyone into pieces once; the channel settles with the last of them', async () => {
    await scripts.split(claim, 3)
    const once = await dump(fixture.redis)
    await expectFenced(scripts.split(claim, 3))
    expect(await dump(fixture.redis)).to.deep.equal(once)
    const pieces = await streams.read(shard, 'normal', 10)
    expect(pieces.map(({ from, to, tries, cause }) => [from, to, tries, cause])).to.deep.equal([
      [0, 3, 0, undefined],
      [3, 4, 0, undefined],
    ])
    const [first, second] = pieces as [Claim, Claim]
    await recordClaim(scripts, first, bytes('nnn'), noEvidence, true)
    expect(await hash()).to.include({ state: 'running', 'vk:open': '1' })
    await recordClaim(scripts, second, bytes('n'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:open': '0', 'vk:n': '4' })
    expect(await fixture.redis.xlen(second.stream)).to.equal(0)
  })

  it('split says of the pieces of a claim that was taken over that somebody may have touched them, and keeps a cause', async () => {
    await record('aa==')
    const successor = await fixture.process('vk', 'vk-b')
    const [taken] = (await successor.streams.takeOver(shard, 0, 10)) as [Claim]
    expect(taken).to.include({ deliveries: 2 }).and.not.have.property('cause')
    await successor.scripts.split(taken, 3)
    const pieces = await successor.streams.read(shard, 'normal', 10)
    expect(pieces.map(({ from, to, cause }) => [from, to, cause])).to.deep.equal([
      [0, 3, 'handed-back'],
      [3, 4, 'handed-back'],
    ])
    await successor.scripts.split({ ...(pieces[0] as Claim), cause: 'throttled', deliveries: 1 }, 2)
    const smaller = await successor.streams.read(shard, 'normal', 10)
    expect(smaller.map(({ from, to, cause }) => [from, to, cause])).to.deep.equal([
      [0, 2, 'throttled'],
      [2, 3, 'throttled'],
    ])
  })

  it('a deferred range comes back as a piece when its time has come', async () => {
    await record('nnaa')
    await scripts.defer(claim, [waiting(2, 4, 1)])
    const { [keys.delivery(claim.ref, 1)]: _before, ...once } = await dump(fixture.redis) // it may expire meanwhile
    await expectFenced(scripts.defer(claim, [waiting(2, 4, 1)]))
    const { [keys.delivery(claim.ref, 1)]: _after, ...twice } = await dump(fixture.redis)
    expect(twice).to.deep.equal(once)
    const fields = await hash()
    expect(fields).to.include({ state: 'running', waves: '1', waiting: '1', 'vk:open': '1' })
    expect(fields['wave:1']).to.match(/^vk throttled \d+ 2 -$/)
    await fixture.redis.zadd(keys.due(shard), 1, `${memberOf(claim.ref)}:1`)
    await wakeDue(fixture)
    expect(await hash()).to.not.have.any.keys('wave:1', 'waiting')
    expect(await fixture.redis.exists(keys.pieces(claim.ref, 1))).to.equal(0)
    const [piece] = (await streams.read(shard, 'normal', 10)) as [Claim]
    expect(piece).to.include({ from: 2, to: 4, tries: 1, cause: 'throttled', leg: 'vk' })
    await recordClaim(scripts, piece, bytes('ss'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:s': '2', 'vk:n': '2' })
  })
})
