import { expect } from 'chai'
import { seededRandom } from '../../src/random.ts'
import { shapedChannels } from '../../src/shaped-messages.ts'
import { createPeople } from '../../src/traffic/index.ts'
import { createShapedPeople, groupOf, shapedPhones, shapedRoster } from '../../src/traffic/shaped-people.ts'
import { planShapedRound } from '../../src/traffic/shaped-plan.ts'

const callsUrl = 'http://receiver.test'
const shapedPeople = createShapedPeople(callsUrl)
const round = (index: number, isLast = false) =>
  planShapedRound(groupOf(shapedPeople, index), seededRandom(`any ${index}`), isLast)

describe('a round of messages of many shapes', () => {
  it('is what the seed says', () => {
    expect(round(7)).eql(round(7))
    expect(round(7)).not.eql(round(8))
  })

  it('has steps with people who answer, one that is corrected, one that is withdrawn, pairs and a personal text', () => {
    const actions = Array.from({ length: 30 }, (_unused, index) => round(index))
    for (const each of actions) {
      const steps = each.flatMap((action) => (action.kind === 'steps' ? [action.unless] : []))
      const changes = each.flatMap((action) => (action.kind === 'changed' ? [action] : []))
      expect(steps).eql(['confirmed', 'sent'])
      expect(changes.some(({ correctInMs }) => correctInMs !== undefined)).equal(true)
      expect(changes.some(({ withdrawInMs }) => withdrawInMs !== undefined)).equal(true)
      expect(each.filter(({ kind }) => kind === 'read-before')).length(1)
      expect(each.filter(({ kind }) => kind === 'pair')).length(3)
      expect(each.filter(({ kind }) => kind === 'personal')).length(1)
    }
    const called = actions
      .flat()
      .flatMap((each) => (each.kind === 'changed' && each.channels[0] === 'http' ? [each] : []))
    expect(called, 'one of each round goes to URLs alone').length(actions.length)
    expect(called.some(({ correctInMs }) => correctInMs) && called.some(({ withdrawInMs }) => withdrawInMs)).equal(true)
    const asked = actions.flat().filter((action) => action.kind === 'changed' && action.answers.length > 0)
    expect(asked.length, 'some that are corrected ask to be confirmed').above(5)
    const personal = actions.flat().flatMap((action) => (action.kind === 'personal' ? [action.correctInMs] : []))
    expect(new Set(personal.map((inMs) => inMs === undefined)), 'some personal texts are corrected').eql(
      new Set([true, false]),
    )
    for (const kind of ['changed', 'personal'] as const) {
      const corrections = actions.flat().flatMap((each) => (each.kind === kind && each.correctInMs ? [each] : []))
      expect(new Set(corrections.map(({ tellsAll }) => tellsAll)), kind).eql(new Set([true, false]))
    }
    const answers = actions.flat().flatMap((action) => (action.kind === 'steps' ? action.answers : []))
    expect(new Set(answers.map(({ by }) => by))).eql(new Set(['telegram', 'sms']))
    expect(answers.some(({ inMs }) => inMs < 20_000) && answers.some(({ inMs }) => inMs > 30_000)).equal(true)
    const kills = actions.flat().flatMap((action) => (action.kind === 'kill' ? [action.inbound] : []))
    expect(new Set(kills)).eql(new Set(['bot', 'sms-inbound']))
  })

  it('has no steps where nothing comes after it', () => {
    expect(round(3, true).filter(({ kind }) => kind === 'steps')).eql([])
  })

  it('goes to people of their own, whom nobody else writes to, each with an address of their own', () => {
    const others = createPeople({ everyone: 100_000, first: 3_000, callsUrl })
    const addresses = shapedPeople.flatMap(({ contacts }) =>
      shapedChannels.flatMap((channel) => contacts[channel] ?? []),
    )
    expect(new Set(addresses).size).equal(addresses.length)
    for (const { contacts } of shapedPeople)
      for (const channel of shapedChannels) expect(others.personAt(channel, contacts[channel] ?? '')).equal(undefined)
    expect(shapedRoster(shapedPeople).split('\n')).length(shapedPeople.length + 1)
    expect(new Set(shapedPhones(shapedPeople).map(({ state }) => state))).eql(new Set(['blocked', 'off']))
    expect(groupOf(shapedPeople, 0)).eql(groupOf(shapedPeople, 24))
  })
})
