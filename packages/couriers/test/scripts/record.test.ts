import { defineScript, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { dump } from '../../../store/test/scripts/dump.ts'
import { type Claim, type ClaimScripts, Fenced } from '../../src/claim-scripts.ts'
import type { Streams } from '../../src/streams.ts'
import { claimOrder, type Ground, noEvidence, record as recordClaim, setGround, shard, wakeDue } from './claims.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

async function expectFenced(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(Fenced)
}

describe('lua: record, split and renew', () => {
  let ground: Ground
  let scripts: ClaimScripts
  let streams: Streams
  let claim: Claim
  beforeEach(async () => {
    ground = await setGround()
    ;({ scripts, streams } = await ground.process())
    await ground.put(4)
    await wakeDue(ground, scripts)
    claim = await claimOrder(streams, 4)
  })
  afterEach(() => ground.stop())

  const hash = () => ground.redis.hgetall(keys.history(claim.ref))
  const record = (text: string, done = false, evidence = noEvidence) =>
    recordClaim(scripts, claim, bytes(text), evidence, done)

  it('writes the bytes, counts them, keeps evidence; the second run changes nothing', async () => {
    const evidence = new Map([
      [0, '#1'],
      [1, '!blocked'],
    ])
    expect((await record('aa==')).toString('latin1')).to.equal('aa\0\0')
    expect((await record('sf==', false, evidence)).toString('latin1')).to.equal('sf\0\0')
    const once = await dump(ground.redis)
    await record('sf==', false, evidence)
    expect(await dump(ground.redis)).to.deep.equal(once)
    expect(await hash()).to.include({ 'vk:s': '1', 'vk:f': '1', state: 'running' })
    expect(await ground.redis.hgetall(keys.evidence(claim.ref, 'vk'))).to.deep.equal({ '0': '#1', '1': '!blocked' })
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
    expect(await ground.redis.hgetall(keys.evidence(claim.ref, 'vk'))).to.deep.equal({ '0': '#1' })
    expect(await hash()).to.include({ 'vk:s': '1', 'vk:n': '1' })
  })

  it("keeps the provider's id where the receipt was faster than the answer", async () => {
    await record('aa==')
    const { redis } = ground
    const names = {
      history: keys.history(claim.ref),
      receipts: keys.receipts(claim.ref, 'vk'),
      evidence: keys.evidence(claim.ref, 'vk'),
    }
    const observe = defineScript('observe', {
      keys: ['history', 'receipts', 'evidence'],
      args: ['channel', 'ordinal', 'state', 'reason'],
    })
    await observe(redis, names, { channel: 'vk', ordinal: 0, state: 'd', reason: '' })
    await observe(redis, names, { channel: 'vk', ordinal: 1, state: 'f', reason: '!no such subscriber' })
    const answers = new Map([
      [0, '#1'],
      [1, '#2'],
    ])
    expect((await record('ss==', false, answers)).toString('latin1')).to.equal('df\0\0')
    expect(await redis.hgetall(names.evidence)).to.deep.equal({ '0': '#1', '1': '!no such subscriber' })
  })

  it('settles the history with the last receipts, once, and takes the order off its stream', async () => {
    await record('aaaa')
    await record('ssss', true)
    const once = await dump(ground.redis)
    expect(await hash()).to.include({ state: 'settled', 'vk:open': '0', orders: '0' })
    expect(await ground.redis.xlen(claim.stream)).to.equal(0)
    await expectFenced(record('ffff', true))
    expect(await dump(ground.redis)).to.deep.equal(once)
  })

  it('refuses another consumer, another delivery count, and what was taken over', async () => {
    const other = await ground.process('vk', 'vk-b')
    const before = await dump(ground.redis)
    await expectFenced(recordClaim(other.scripts, claim, bytes('aaaa'), noEvidence, false))
    await expectFenced(recordClaim(scripts, { ...claim, deliveries: 2 }, bytes('aaaa'), noEvidence, false))
    expect(await dump(ground.redis)).to.deep.equal(before)

    const [taken] = (await other.streams.takeOver(shard, 0, 10)) as [Claim]
    expect(taken.deliveries).to.equal(2)
    for (const call of [
      () => record('ssss', true),
      () => scripts.split(claim, 4, 1),
      () => scripts.defer(claim, 0, 4, 1, 10),
    ])
      await expectFenced(call())
    await recordClaim(other.scripts, { ...taken, to: 4 }, bytes('nnnn'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:n': '4' })
  })

  it('a process that takes its own claim over again is fenced from its former self', async () => {
    const [again] = (await streams.takeOver(shard, 0, 10)) as [Claim]
    await expectFenced(record('aaaa'))
    await recordClaim(scripts, { ...again, to: 4 }, bytes('aaaa'), noEvidence, false)
  })

  for (const [what, field, value, fresh] of [
    ['cancelled', 'cancelled', '1', 'x'],
    ['expired', 'expires', '1', 'e'],
  ] as const) {
    it(`grants no attempt once ${what}; what was being attempted becomes unknown, an answer still counts`, async () => {
      await record('aa==')
      await ground.redis.hset(keys.history(claim.ref), field, value)
      expect((await record('=aa=')).toString('latin1')).to.equal(`au${fresh}\0`)
      expect((await record('s===')).toString('latin1')).to.equal(`su${fresh}\0`)
      expect(await hash()).to.include({ 'vk:s': '1', 'vk:u': '1', [`vk:${fresh}`]: '1' })
    })
  }

  it('a claim given back by one channel leaves the order to the others, the last takes it away', async () => {
    const [vk, sms] = [{ scripts, streams }, await ground.process('sms')]
    const ref = await ground.put(1)
    await wakeDue(ground, scripts)
    expect(await ground.redis.hget(keys.history(ref), 'expected')).to.be.oneOf(['vk,sms', 'sms,vk'])
    await record('nnnn', true)
    const one = await claimOrder(vk.streams, 1)
    const two = (await sms.streams.readOrders(shard, 'normal', 5)).find(({ ref: { id } }) => id === ref.id) as Claim
    await recordClaim(vk.scripts, one, bytes('n'), noEvidence, true)
    expect(await ground.redis.hgetall(keys.history(ref))).to.include({ state: 'running', orders: '1' })
    expect(await ground.redis.xrange(one.stream, one.entry, one.entry)).to.have.length(1)
    await recordClaim(sms.scripts, { ...two, to: 1 }, bytes('n'), noEvidence, true)
    expect(await ground.redis.hgetall(keys.history(ref))).to.include({ state: 'settled', orders: '0' })
    expect(await ground.redis.xrange(one.stream, one.entry, one.entry)).to.have.length(0)
  })

  it('renew starts the lease anew for its owner, never for another, and counts no delivery', async () => {
    const other = await ground.process('vk', 'vk-b')
    const before = await dump(ground.redis)
    expect(await scripts.renew(claim.stream, [claim])).to.deep.equal([true])
    expect(await scripts.renew(claim.stream, [claim])).to.deep.equal([true])
    expect(await other.scripts.renew(claim.stream, [claim])).to.deep.equal([false])
    expect(await dump(ground.redis)).to.deep.equal(before)
    await other.streams.takeOver(shard, 0, 10)
    expect(await scripts.renew(claim.stream, [claim])).to.deep.equal([false])
  })

  it('split cuts everyone into pieces once; the channel settles with the last of them', async () => {
    await scripts.split(claim, 4, 3)
    const once = await dump(ground.redis)
    await expectFenced(scripts.split(claim, 4, 3))
    expect(await dump(ground.redis)).to.deep.equal(once)
    const pieces = await streams.readBatches(shard, 'normal', 10)
    expect(pieces.map(({ from, to, tries }) => [from, to, tries])).to.deep.equal([
      [0, 3, 0],
      [3, 4, 0],
    ])
    const [first, second] = pieces as [Claim, Claim]
    await recordClaim(scripts, first, bytes('nnn'), noEvidence, true)
    expect(await hash()).to.include({ state: 'running', 'vk:open': '1' })
    await recordClaim(scripts, second, bytes('n'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:open': '0', 'vk:n': '4' })
    expect(await ground.redis.xlen(second.stream)).to.equal(0)
  })

  it('a deferred range comes back as a batch when its time has come', async () => {
    await record('nnaa')
    await scripts.defer(claim, 2, 4, 1, 1)
    const { [keys.delivery(claim.ref, 1)]: _bell, ...once } = await dump(ground.redis) // it may ring meanwhile
    await expectFenced(scripts.defer(claim, 2, 4, 1, 1))
    const { [keys.delivery(claim.ref, 1)]: _rung, ...twice } = await dump(ground.redis)
    expect(twice).to.deep.equal(once)
    expect(await hash()).to.include({ state: 'running', waves: '1', 'wave:1': 'vk 2 4 1', 'vk:open': '1', orders: '0' })
    await wakeDue(ground, scripts)
    expect(await hash()).to.not.have.property('wave:1')
    const [batch] = (await streams.readBatches(shard, 'normal', 10)) as [Claim]
    expect([batch.kind, batch.from, batch.to, batch.tries]).to.deep.equal(['batch', 2, 4, 1])
    await recordClaim(scripts, batch, bytes('ss'), noEvidence, true)
    expect(await hash()).to.include({ state: 'settled', 'vk:s': '2', 'vk:n': '2' })
  })
})
