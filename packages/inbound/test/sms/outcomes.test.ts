/** What a sender is told of a message, and what of it a process that died had not written down. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HistoryView, type PeopleClass, peopleClasses } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { createLog, systemClock } from '@courier-fleet/process'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createNotes } from '../../src/notes.ts'
import { createOutcomes, type Owed } from '../../src/sms/outcomes.ts'

const key = '20261123.t-01.abc'

/** of two people */
function historyWith(classes: Partial<Record<PeopleClass, number>>): HistoryView {
  const none = Object.fromEntries(peopleClasses.map((name) => [name, 0]))
  const people = { ...none, ...classes, why: {}, whyUnknown: {} }
  const audience = { size: 2, sha256: '' }
  return { key, state: 'settled', audience, expected: ['sms'], channels: {}, people } as unknown as HistoryView
}

describe('the outcome that a sender is told', () => {
  let folder: string
  let history: HistoryView
  /** by key; the fleet takes one key once */
  let given: Map<string, string>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outcomes-'))
    history = historyWith({ delivered: 1, handedOver: 1 })
    given = new Map()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** @param afterGiving what happens once the fleet has an answer, before the process knows it */
  function startProcess(afterGiving = async () => {}) {
    const client = { track: async () => ({ settled: true, history }) } as unknown as Client
    return createOutcomes({
      notes: createNotes<Owed>(folder),
      answers: {
        async give(_address, answer) {
          if (!given.has(answer.key)) given.set(answer.key, answer.text)
          await afterGiving()
          return undefined
        },
      },
      fleet: { forContact: () => client },
      clock: systemClock,
      log: createLog('outcomes-test', 'silent'),
      outcomeMs: 0,
    })
  }

  it('is corrected by whoever goes on after one that died as soon as it was given', async () => {
    let dead = false
    const first = startProcess(() => {
      dead = true
      return new Promise(() => {})
    })
    await first.owe(key, { address: '+79001007807', language: 'ru', name: 'Поздние', until: 0 })
    first.watch(key)
    await until(() => dead, 'the outcome is given')
    expect([...given.values()]).to.deep.equal(['Поздние. Из 2: доставлено 1, не подтверждено 1'])

    history = historyWith({ delivered: 1, notDelivered: 1 })
    await startProcess().resume()
    await until(() => given.size === 2, 'the correction is given')
    expect(given.get(`${key}.correction`)).to.equal('Уточнение. Поздние. Из 2: доставлено 1, не дошло 1')
  })
})
