import type { HistoryView, ListState } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { expect } from 'chai'
import { findOwnMessages } from '../src/own-messages.ts'

type Page = NonNullable<Parameters<Client['histories']>[0]>
type Listed = Partial<Omit<HistoryView, 'state'>> & { readonly key: string; readonly state: ListState | 'issued' }

/** As the API lists them: by state, and in pages, which may end early. */
function listing(all: readonly Listed[]) {
  const asked: Page[] = []
  const histories: Client['histories'] = async (page = {}) => {
    asked.push(page)
    const { state, before = '0', limit = 20 } = page
    const from = Number(before)
    const looked = all.slice(from, from + limit)
    const found = looked.filter((each) => state === undefined || each.state === state)
    const next = from + limit < all.length ? { next: String(from + limit) } : {}
    return { histories: found as unknown as HistoryView[], ...next }
  }
  return { asked, histories }
}

const at = (minute: number) => ({ acceptedAt: new Date(Date.UTC(2026, 8, 1) - minute * 60_000).toISOString() })
const newer = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => ({
    key: `new-${first + index}`,
    state: 'settled' as const,
    to: ['group:other'],
    ...at(first + index),
  }))
const keysOf = (found: readonly HistoryView[]) => found.map(({ key }) => key)

describe('what somebody has sent', () => {
  it('is found by its state behind any number of newer ones', async () => {
    const old = [
      { key: 'held', state: 'held' as const, ...at(302) },
      { key: 'due', state: 'scheduled' as const, ...at(301) },
    ]
    const { histories, asked } = listing([...newer(300), ...old])
    expect(keysOf(await findOwnMessages({ histories }, { states: ['scheduled', 'held'], limit: 10 }))).to.deep.equal([
      'due',
      'held',
    ])
    expect(asked.map(({ state }) => state)).not.to.include(undefined)
  })

  it('is found page after page where it is looked for by what it is, and no further than it takes', async () => {
    const { histories, asked } = listing([
      ...newer(120),
      { key: 'mine', state: 'settled', to: ['group:mine'], ...at(120) },
      ...newer(300, 121),
    ])
    const is = ({ to = [] }: HistoryView) => to.includes('group:mine')
    expect(keysOf(await findOwnMessages({ histories }, { is, limit: 1 }))).to.deep.equal(['mine'])
    expect(asked).to.have.length(3)
  })

  it('is no key without a message, and none twice that goes on while it is looked for', async () => {
    const { histories } = listing([{ key: 'issued', state: 'issued' }, ...newer(1)])
    expect(keysOf(await findOwnMessages({ histories }, { limit: 1 }))).to.deep.equal(['new-0'])
    const started: Client['histories'] = async ({ state } = {}) => ({
      histories: [{ key: 'started', state, ...at(1) } as unknown as HistoryView],
    })
    expect(
      keysOf(await findOwnMessages({ histories: started }, { states: ['scheduled', 'running'], limit: 5 })),
    ).to.deep.equal(['started'])
  })
})
