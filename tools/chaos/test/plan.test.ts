import { expect } from 'chai'
import type { Channel } from '../src/expectations.ts'
import { type FaultName, faultNames } from '../src/faults/index.ts'
import type { Process } from '../src/fleet.ts'
import { faultsOn } from '../src/options.ts'
import { planRounds } from '../src/plan.ts'
import { points } from '../src/points.ts'
import { seededRandom } from '../src/random.ts'

const plan = (seed: string, kills: number, faults: readonly FaultName[] = faultNames) =>
  planRounds({ kills, faults }, seededRandom(seed)).map((round) =>
    round.map(({ name, what, at }) => ({ name, what, at })),
  )

describe('plan', () => {
  it('is decided by the seed alone', () => {
    expect(plan('1', 100)).eql(plan('1', 100))
    expect(plan('1', 100)).not.eql(plan('2', 100))
  })

  it('has exactly as many kills as asked for, and every fault comes up', () => {
    const all = plan('1', 1000).flat()
    expect(all.filter(({ name }) => name === 'kill')).lengthOf(1000)
    expect(new Set(all.map(({ name }) => name))).eql(new Set(faultNames))
  })

  it('has what concerns a cluster on a cluster alone, so that the plan of one Redis stays what it is', () => {
    const onCluster = plan('1', 10_000, faultsOn('cluster')).flat()
    expect(new Set(onCluster.map(({ name }) => name))).eql(new Set(faultsOn('cluster')))
    expect(faultsOn('one')).eql(faultNames)
    expect(faultsOn('sentinel')).include('without-events').and.not.include('growth')
  })

  it('has a rule of the whole fleet set once in a round', () => {
    const rounds = plan('2', 10_000).map((round) => round.filter(({ name }) => name === 'budgets' || name === 'caps'))
    expect(rounds.some((rules) => rules.length === 1)).equal(true)
    expect(rounds.every((rules) => rules.length <= 1)).equal(true)
  })

  it('kills at every numbered point', () => {
    const said = plan('1', 1000).flat()
    for (const { number, name } of points)
      expect(said.some(({ what }) => what.startsWith(`kill at ${number} (${name}`))).equal(true, name)
  })

  it('kills at one point only, where that is asked for', () => {
    const [point] = points
    const rounds = planRounds({ kills: 30, faults: [], point }, seededRandom('1'))
    const said = rounds.flat().map(({ what }) => what.replace(/, \d\)$/, ')'))
    expect(new Set(said)).eql(new Set(['kill at 1 (before wake)']))
    const targets = ['telegram', 'sms', 'http'].map((channel) => ({ role: 'courier', channel }) as Process)
    const ofSms = (channels: readonly Channel[]) =>
      planRounds({ kills: 30, faults: [], point, channels }, seededRandom('1')).map((round) =>
        round.filter(({ smsDoubts }) => smsDoubts?.(targets) === 1),
      )
    expect(ofSms(['sms']).flat()).lengthOf(30)
    expect(ofSms(['sms', 'http']).flat()).lengthOf(15)
    expect(ofSms(['sms', 'http']).every(({ length }) => length > 1)).equal(true)
  })

  it('kills at every point of the rules that count within 40 kills, where these are named', () => {
    for (const seed of ['1', '2', '3']) {
      const said = plan(seed, 40, ['caps', 'freeze']).flat()
      for (const number of [23, 24, 25, 26, 27, 28, 29, 30])
        expect(
          said.some(({ what }) => what.startsWith(`kill of the first at ${number} (`)),
          String(number),
        ).equal(true)
      expect(said.filter(({ name }) => name === 'kill')).lengthOf(40)
    }
  })

  it('keeps faults named one by one in every round', () => {
    for (const round of plan('1', 50, ['events-off', 'freeze'])) {
      expect(round.map(({ name }) => name)).include.members(['events-off', 'freeze', 'kill'])
    }
  })

  it('spends no budget on those who may have a few messages', () => {
    for (const [index, round] of plan('1', 50, ['caps', 'budgets']).entries()) {
      const names = round.map(({ name }) => name).filter((name) => name !== 'kill')
      expect(names).eql([index % 2 === 0 ? 'caps' : 'budgets'])
    }
  })

  it('has rounds without kills, and kills without anything else', () => {
    expect(
      plan('1', 0, ['events-off'])
        .flat()
        .every(({ name }) => name === 'events-off'),
    ).equal(true)
    expect(
      plan('1', 30, [])
        .flat()
        .every(({ name }) => name === 'kill'),
    ).equal(true)
  })
})
