import type { HistoryRef, MessageSteps } from '@courier-fleet/api-types'
import { keys, rebuildStep } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import {
  type ClaimFixture,
  createClaimFixture,
  noEvidence,
  record,
  report,
  shard,
  statesOf,
  waiting,
  wakeDue,
} from './claim-fixture.ts'
import { expectCounted } from './ledger-sums.ts'

const minuteMs = 60_000
type Process = Awaited<ReturnType<ClaimFixture['process']>>
const sms: MessageSteps = [{ channels: ['vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'delivered' }]

describe('lua: steps of a message', () => {
  let fixture: ClaimFixture
  let vk: Process
  let smsProcess: Process
  beforeEach(async () => {
    fixture = await createClaimFixture()
    vk = await fixture.process('vk')
    smsProcess = await fixture.process('sms')
  })
  afterEach(() => fixture.stop())

  const hash = (ref: HistoryRef) => fixture.redis.hgetall(keys.history(ref))
  const claims = (streams: WorkStreams) => streams.read(shard, 'normal', 1000)
  async function start(size: number, steps: MessageSteps, more = {}): Promise<HistoryRef> {
    const ref = await fixture.put(size, { steps, ...more })
    await wakeDue(fixture)
    return ref
  }
  /** As one process would: marked, and answered; NUL is left out. */
  async function send({ scripts }: Process, claim: Claim, answers: string, done = true): Promise<string> {
    const marks = answers.replaceAll(/[sdrcfu]/g, 'a').replaceAll('\0', '=')
    const granted = (await record(scripts, claim, Buffer.from(marks, 'latin1'), noEvidence, false)).toString('latin1')
    const told = [...answers].map((byte, at) => (granted[at] === 'a' || !'sdrcfu'.includes(byte) ? byte : '='))
    await record(scripts, claim, Buffer.from(told.join('').replaceAll('\0', '='), 'latin1'), noEvidence, done)
    return granted
  }
  /** The waves of the step are due now. */
  async function passTime(ref: HistoryRef): Promise<void> {
    const waves = ((await hash(ref)).waiting ?? '').split(' ').filter(Boolean)
    const names = waves.map((number) => `${ref.sender}:${ref.id}:${number}`)
    await fixture.redis.zadd(keys.due(shard), ...names.flatMap((name) => [1, name]))
    await wakeDue(fixture)
  }
  const viewOf = async (ref: HistoryRef) => {
    const snapshot = await fixture.histories.snapshot(ref)
    return fixture.histories.view(snapshot as NonNullable<typeof snapshot>)
  }
  const stepsOf = async (ref: HistoryRef) => (await viewOf(ref)).steps?.map(({ at: _at, ...step }) => step)

  const smsFirst: MessageSteps = [{ channels: ['sms'] }, { channels: ['vk'], after: 'PT10M', unless: 'sent' }]
  const costsOf = async (ref: HistoryRef) => (await viewOf(ref)).steps?.map(({ cost }) => cost)
  /** Often, as whoever has lost the replies does. */
  async function write({ scripts }: Process, claim: Claim, text: string, costs: number[]): Promise<void> {
    const update = { from: claim.from, bytes: Buffer.from(text, 'latin1'), evidence: [], costs }
    for (let times = 0; times < 3; times += 1) await scripts.record([{ claim, version: 1, done: false, ...update }])
  }

  it('keep what the SMS of each come to: once, and less by what certainly came to nothing', async () => {
    const ref = await start(4, smsFirst)
    const [claim] = (await claims(smsProcess.streams)) as [Claim]
    expect(await costsOf(ref)).to.deep.equal([undefined, undefined])
    await write(smsProcess, claim, 'aaaa', [1, 2, 3, 4])
    expect(await costsOf(ref), 'reserved with the marks').to.deep.equal([{ parts: 10 }, undefined])
    await write(smsProcess, claim, 's\0uf', [1, 2, 3, 4])
    expect(await costsOf(ref), 'given back, and refused').to.deep.equal([{ parts: 4 }, undefined])
    expect(await fixture.redis.hexists(keys.history(ref), 'spent'), 'there is no ceiling').to.equal(0)
  })

  it('keep it in the unit of the ceiling, and no more than that', async () => {
    const ref = await start(3, smsFirst, { ceiling: { millionths: 5_000_000, currency: 'RUB' } })
    const [claim] = (await claims(smsProcess.streams)) as [Claim]
    await write(smsProcess, claim, 'aaa', [2_000_000, 4_000_000, 3_000_000])
    const cost = { millionths: 5_000_000, currency: 'RUB' }
    expect(await costsOf(ref)).to.deep.equal([cost, undefined])
    expect((await viewOf(ref)).ceiling?.spent).to.equal(5_000_000)
  })

  it('of a process that was fenced keep nothing', async () => {
    const ref = await start(1, smsFirst)
    const [claim] = (await claims(smsProcess.streams)) as [Claim]
    await write(smsProcess, claim, 'a', [2])
    const other = await fixture.process('sms', 'sms-b')
    const [taken] = (await other.streams.takeOver(shard, 0, 10)) as [Claim]
    await write(smsProcess, claim, '\0', [2])
    await write(other, taken, 'u', [2])
    expect(await costsOf(ref)).to.deep.equal([{ parts: 2 }, undefined])
  })
  async function expectBalanced(ref: HistoryRef): Promise<void> {
    for (const { balanced } of await fixture.histories.recount(ref)) expect(balanced).to.equal(true)
    await expectCounted(fixture.redis, fixture.histories, ref)
  }

  it('only the first step has work at the start, and the later one keeps the history open', async () => {
    const ref = await start(4, sms)
    expect(await hash(ref)).to.include({ 'vk:open': '1', 'sms:open': '0', expected: 'vk,sms' })
    expect(await claims(smsProcess.streams)).to.deep.equal([])
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 'sdfn')
    expect(await hash(ref)).to.include({ state: 'running', 'vk:settled': (await hash(ref))['vk:settled'] as string })
    expect(await statesOf(fixture, ref, 4, 'sms'), 'who is delivered is spared at once').to.equal('\0x\0\0')
    expect((await stepsOf(ref))?.map(({ waiting: people, sent, spared }) => [people, sent, spared])).to.deep.equal([
      [0, 2, 0],
      [3, 0, 1],
    ])
    await expectBalanced(ref)
  })

  it('who may yet be reached waits; whom no channel has is sent to at once', async () => {
    const ref = await start(5, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    const before = Date.now()
    await send(vk, claim, 'sunfs')
    const waves = (await viewOf(ref)).waiting?.map(({ at, people, channel, cause }) => [
      Math.round((Date.parse(at) - before) / minuteMs),
      people,
      channel,
      cause,
    ])
    expect(waves).to.deep.equal([
      [0, 2, 'sms', 'step'],
      [10, 3, 'sms', 'step'],
    ])
    expect(await hash(ref)).to.include({ 'sms:open': '3' })
    await wakeDue(fixture)
    const [soon] = (await claims(smsProcess.streams)) as [Claim]
    expect([soon.from, soon.to, soon.cause, soon.unless]).to.deep.equal([2, 4, 'step', 'vk=drc'])
    await send(smsProcess, soon, 'ss')
    await passTime(ref)
    const late = await claims(smsProcess.streams)
    expect(late.map(({ from, to }) => [from, to])).to.deep.equal([
      [0, 2],
      [4, 5],
    ])
    await report(fixture, ref, 0, { state: 'delivered' })
    expect(await send(smsProcess, late[0] as Claim, 'ss'), 'no mark follows the receipt').to.equal('xa')
    await send(smsProcess, late[1] as Claim, 's')
    expect(await hash(ref)).to.include({ state: 'settled', 'sms:open': '0' })
    expect(await stepsOf(ref)).to.deep.equal([
      { channels: ['vk'], waiting: 0, sent: 2, spared: 0, reached: 1 },
      { channels: ['sms'], after: 'PT10M', unless: 'delivered', waiting: 0, sent: 4, spared: 1 },
    ])
    await expectBalanced(ref)
  })

  it('everybody reached: it settles with the last receipt, and nothing waits any more', async () => {
    const ref = await start(3, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 'sss')
    for (const ordinal of [0, 1]) await report(fixture, ref, ordinal, { state: 'delivered' })
    expect(await hash(ref)).to.include({ state: 'running', 'sms:open': '1' })
    await report(fixture, ref, 2, { state: 'read' })
    const fields = await hash(ref)
    expect(fields).to.include({ state: 'settled', 'sms:open': '0', 'sms:x': '3' })
    expect(fields).to.not.have.any.keys('waiting', 'wave:1')
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
    expect(await fixture.redis.zscore(keys.expiry(shard), 'dean:message-0')).to.equal(null)
    await expectBalanced(ref)
  })

  it('sent is the end where a channel tells no more, and may still fail where it does', async () => {
    const steps: MessageSteps = [
      { channels: ['vk'] },
      { channels: ['sms'], after: 'PT1M', unless: 'sent' },
      { channels: ['mail'], after: 'PT1M', unless: 'sent' },
    ]
    const ref = await start(3, steps)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 'sfn')
    expect(await statesOf(fixture, ref, 3, 'sms')).to.equal('x\0\0')
    expect(await statesOf(fixture, ref, 3, 'mail')).to.equal('x\0\0')
    await wakeDue(fixture)
    const [second] = (await claims(smsProcess.streams)) as [Claim]
    await send(smsProcess, second, 'sf')
    expect(await statesOf(fixture, ref, 3, 'mail'), 'an SMS that was taken may still fail').to.equal('x\0\0')
    await passTime(ref)
    const mail = await fixture.process('mail')
    const third = (await claims(mail.streams)).sort((a, b) => b.from - a.from)
    expect(third.map(({ from, to, unless }) => [from, to, unless])).to.deep.equal([
      [2, 3, 'vk=sdrc,sms=sdrc'],
      [1, 2, 'vk=sdrc,sms=sdrc'],
    ])
    await send(mail, third[0] as Claim, 's')
    expect(await send(mail, third[1] as Claim, 's')).to.equal('x')
    expect(await hash(ref)).to.include({ state: 'settled' })
    await expectBalanced(ref)
  })

  it('two channels of a step: the next begins for each person once both have an answer, and once only', async () => {
    const steps: MessageSteps = [
      { channels: ['vk', 'telegram'] },
      { channels: ['sms'], after: 'PT10M', unless: 'delivered' },
    ]
    const telegram = await fixture.process('telegram')
    const ref = await start(6, steps)
    const [one] = (await claims(vk.streams)) as [Claim]
    const [other] = (await claims(telegram.streams)) as [Claim]
    await telegram.scripts.split(other, 2)
    const parts = await claims(telegram.streams)
    await send(telegram, parts[0] as Claim, 'sn')
    expect((await viewOf(ref)).waiting, 'the other has not answered').to.equal(undefined)
    await send(vk, one, 'nnnnnn')
    await send(telegram, parts[2] as Claim, 'nu')
    await send(telegram, parts[1] as Claim, 'ds')
    const pieces = async (wave: number) =>
      ((await fixture.redis.getBuffer(keys.pieces(ref, wave))) as Buffer).toString('hex').match(/.{24}/g)
    const waitingPeople = (await viewOf(ref)).waiting ?? []
    expect(waitingPeople.reduce((sum, { people }) => sum + people, 0)).to.equal(5)
    const waving = await hash(ref)
    const all = (await Promise.all((waving.waiting as string).split(' ').map((n) => pieces(Number(n))))).flat()
    const covered = all.flatMap((piece) => {
      const [from, to] = [Number.parseInt(piece?.slice(0, 8) ?? '', 16), Number.parseInt(piece?.slice(8, 16) ?? '', 16)]
      return Array.from({ length: to - from }, (_unused, at) => from + at)
    })
    expect(covered.sort(), 'each once; the third is spared').to.deep.equal([0, 1, 3, 4, 5])
    expect(await fixture.redis.getrange(keys.steps(ref), 0, 5)).to.equal('\x01'.repeat(6))
    await expectBalanced(ref)
  })

  it('of a claim that is handed back whoever is done comes to the next step, and the others later', async () => {
    const ref = await start(4, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 's\0\0f', false)
    await vk.scripts.defer(claim, [waiting(1, 3, minuteMs)])
    expect(await fixture.redis.getrange(keys.steps(ref), 0, 3)).to.equal('\x01\0\0\x01')
    await passTime(ref)
    const [rest] = (await claims(vk.streams)) as [Claim]
    await send(vk, rest, 'sn')
    expect(await fixture.redis.getrange(keys.steps(ref), 0, 3)).to.equal('\x01'.repeat(4))
    await expectBalanced(ref)
  })

  it('a confirmation by any channel counts for all, also one without a receipt', async () => {
    const ref = await start(2, sms, { confirm: true })
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 'ss')
    const snapshot = (await fixture.histories.snapshot(ref)) as NonNullable<
      Awaited<ReturnType<typeof fixture.histories.snapshot>>
    >
    await fixture.histories.confirm(snapshot, { ordinal: 0, version: 1, person: 'p000000', channel: 'mail' })
    expect(await statesOf(fixture, ref, 2, 'sms')).to.equal('x\0')
    await fixture.histories.confirm(snapshot, { ordinal: 1, version: 1, person: 'p000001', channel: 'vk' })
    expect(await hash(ref)).to.include({ state: 'settled' })
    await expectBalanced(ref)
  })

  it('a confirmation that comes while they are worked on is seen by the mark', async () => {
    const ref = await start(1, sms, { confirm: true })
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 's')
    await passTime(ref)
    const [late] = (await claims(smsProcess.streams)) as [Claim]
    // as if the confirming step knew nothing of the others
    await fixture.redis.setrange(keys.confirmed(ref), 0, '\x03')
    expect(await send(smsProcess, late, 's')).to.equal('x')
    expect(await hash(ref)).to.include({ state: 'settled' })
  })

  it('a step is not done while somebody may still come to it', async () => {
    const ref = await start(4, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await vk.scripts.split(claim, 2)
    const [one, other] = (await claims(vk.streams)) as [Claim, Claim]
    await send(vk, one, 'nn')
    await wakeDue(fixture)
    const [soon] = (await claims(smsProcess.streams)) as [Claim]
    await send(smsProcess, soon, 'ss')
    expect(await hash(ref))
      .to.include({ 'sms:open': '0' })
      .and.not.have.any.keys('sms:settled')
    await send(vk, other, 'dd')
    expect(await hash(ref)).to.include({ state: 'settled', 'sms:x': '2', 'sms:s': '2' })
    await expectBalanced(ref)
  })

  it('a cancel ends all of it', async () => {
    const ref = await start(3, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await send(vk, claim, 'sss')
    await fixture.histories.cancel(ref, 'dean')
    expect(await hash(ref)).to.include({ state: 'settled', 'sms:x': '3' })
    expect((await stepsOf(ref))?.[1]).to.include({ waiting: 0, sent: 0, spared: 0 })
    await expectBalanced(ref)
  })

  it('what is cancelled while the first step runs never comes to the second', async () => {
    const ref = await start(3, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await record(vk.scripts, claim, Buffer.from('aa='), noEvidence, false)
    await fixture.histories.cancel(ref, 'dean')
    await record(vk.scripts, claim, Buffer.from('sf='), noEvidence, true)
    expect(await statesOf(fixture, ref, 3, 'sms')).to.equal('xxx')
    expect(await hash(ref)).to.include({ state: 'settled', 'sms:open': '0' })
    await expectBalanced(ref)
  })

  it('is made again when streams, waves on the due set and claims are lost', async () => {
    const ref = await start(6, sms)
    const [claim] = (await claims(vk.streams)) as [Claim]
    await vk.scripts.split(claim, 2)
    const parts = await claims(vk.streams)
    await send(vk, parts[0] as Claim, 'sn')
    await wakeDue(fixture)
    await send(vk, parts[1] as Claim, 'ss', false)
    await fixture.redis.unlink(keys.work(shard, 'vk', 'normal'), keys.work(shard, 'sms', 'normal'), keys.due(shard))
    const { due, entries } = await rebuildStep(fixture.redis, 1)
    expect({ due, entries }).to.deep.equal({ due: 1, entries: 2 })
    const { due: later, entries: more } = await rebuildStep(fixture.redis, 1)
    expect({ later, more }, 'what is there is left alone').to.deep.equal({ later: 0, more: 0 })
    const [again] = (await claims(vk.streams)) as [Claim]
    expect([again.from, again.to]).to.deep.equal([2, 6])
    const [second] = (await claims(smsProcess.streams)) as [Claim]
    expect([second.from, second.to, second.unless]).to.deep.equal([1, 2, 'vk=drc'])
    await send(smsProcess, second, 's')
    await send(vk, again, '\0\0ds')
    for (let round = 0; round < 3 && (await hash(ref)).waiting; round += 1) {
      await passTime(ref)
      for (const late of await claims(smsProcess.streams)) await send(smsProcess, late, 's'.repeat(late.to - late.from))
    }
    expect(await statesOf(fixture, ref, 6, 'sms')).to.equal('ssssxs')
    expect(await hash(ref)).to.include({ state: 'settled' })
    await expectBalanced(ref)
  })
})
