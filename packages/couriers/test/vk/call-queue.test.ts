import type { MessageClass } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome, Pacer } from '../../src/courier.ts'
import { createCallQueue } from '../../src/vk/call-queue.ts'
import type { Call } from '../../src/vk/execute.ts'
import { neverAborted } from './fixture.ts'

const calls = (people: number, text = 'а', cls: MessageClass = 'normal'): Call[] =>
  Array.from({ length: Math.ceil(people / 100) }, (_unused, i) => ({
    class: cls,
    randomId: 1 + i,
    text,
    peers: Array.from({ length: Math.min(100, people - 100 * i) }, (_other, j) => String(100 * i + j + 1)),
  }))
const kinds = (answers: readonly (readonly Outcome[])[]) => answers.flat().map(({ kind }) => kind)
const soon = () => performance.now() + 30_000

/** A pacer that grants nothing until it is told to. */
function gate() {
  const waiting: (() => void)[] = []
  const pacer: Pacer = {
    take: (_units, _cls, signal) =>
      new Promise((resolve, reject) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
  return { pacer, waiting }
}

describe('vk: the call queue', () => {
  const delivered: Call[][] = []
  const deliver = async (execute: readonly Call[]) => {
    delivered.push([...execute])
    return execute.map(({ peers }) => peers.map((peer): Outcome => ({ kind: 'sent', providerId: peer })))
  }
  beforeEach(() => {
    delivered.length = 0
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('lets what comes while a turn is awaited travel with it', async () => {
    const { pacer, waiting } = gate()
    const queue = createCallQueue({ pacer, deliver })
    const first = queue.send(calls(1, 'первое'), neverAborted, soon())
    await turn()
    const second = queue.send(calls(1, 'второе'), neverAborted, soon())
    await turn()
    expect(waiting).to.have.length(1)
    for (const grant of waiting) grant()
    await Promise.all([first, second])
    expect(delivered.map((execute) => execute.map(({ text }) => text))).to.deep.equal([['первое', 'второе']])
  })

  it('asks for a place of each class that waits, and lets others travel where it leaves room', async () => {
    const granted: [MessageClass, () => void][] = []
    const pacer: Pacer = { take: (_units, cls) => new Promise((resolve) => granted.push([cls, resolve])) }
    const queue = createCallQueue({ pacer, deliver })
    const sent = [
      queue.send(calls(5_000, 'всем', 'bulk'), neverAborted, soon()),
      queue.send(calls(100, 'срочно', 'urgent'), neverAborted, soon()),
    ]
    await turn()
    expect(granted.map(([cls]) => cls).sort()).to.deep.equal(['bulk', 'bulk', 'urgent'])
    granted.find(([cls]) => cls === 'bulk')?.[1]()
    await until(() => delivered.length === 1, 'the first place is used')
    expect(new Set(delivered[0]?.map((call) => call.class)), 'it is full of its own').to.deep.equal(new Set(['bulk']))
    granted.find(([cls]) => cls === 'urgent')?.[1]()
    await until(() => delivered.length === 2, 'the second one too')
    expect(delivered[1]?.map((call) => call.class)).to.deep.equal(['urgent', ...Array(24).fill('bulk')])
    for (const [, grant] of granted) grant()
    await Promise.all(sent)
  })

  it('lets who has little to send travel with the next call, however much was there before', async () => {
    const { pacer, waiting } = gate()
    const queue = createCallQueue({ pacer, deliver })
    const many = queue.send(calls(20_000, 'всем'), neverAborted, soon())
    const one = queue.send(calls(1, 'срочно'), neverAborted, soon())
    await turn()
    waiting.shift()?.()
    expect(kinds(await one)).to.deep.equal(['sent'])
    expect(delivered).to.have.length(1)
    expect(delivered[0]).to.have.length(25)
    await until(() => {
      waiting.shift()?.()
      return delivered.length === 9
    }, 'everybody is delivered to')
    expect(kinds(await many)).to.have.length(20_000)
    expect(delivered.flat().flatMap(({ peers }) => peers)).to.have.length(20_001)
  })

  it('gives back at once, as not sent, what gets no turn in time', async () => {
    const { pacer, waiting } = gate()
    const queue = createCallQueue({ pacer, deliver })
    const [[late] = []] = await queue.send(calls(1), neverAborted, performance.now() + 20)
    expect(late).to.include({ kind: 'throttled', scope: 'recipient' })
    const before = waiting.length
    const next = queue.send(calls(1), neverAborted, soon())
    await until(() => waiting.length > before, 'another turn is asked for')
    waiting.at(-1)?.()
    expect(kinds(await next)).to.deep.equal(['sent'])
    expect(delivered).to.have.length(1)
  })

  it('leaves out whoever was called back meanwhile', async () => {
    const { pacer, waiting } = gate()
    const queue = createCallQueue({ pacer, deliver })
    const abort = new AbortController()
    const called = queue.send(calls(2, 'не надо'), abort.signal, soon())
    const other = queue.send(calls(1, 'надо'), neverAborted, soon())
    await turn()
    abort.abort()
    expect(kinds(await called)).to.deep.equal(['throttled', 'throttled'])
    for (const grant of waiting) grant()
    expect(kinds(await other)).to.deep.equal(['sent'])
    expect(delivered.flat().map(({ text }) => text)).to.deep.equal(['надо'])
  })

  it('gives everything back when no slot can be had, instead of asking on and on', async () => {
    let asked = 0
    const pacer: Pacer = {
      take: async () => {
        asked++
        throw new Error('away')
      },
    }
    const queue = createCallQueue({ pacer, deliver })
    const answers = await queue.send(calls(200), neverAborted, soon())
    expect(kinds(answers)).to.have.length(200)
    expect(new Set(kinds(answers))).to.deep.equal(new Set(['throttled']))
    expect(asked).to.equal(1)
  })

  it('when closed: what waits is not sent, what is under way is unknown, what comes is not taken', async () => {
    const { pacer, waiting } = gate()
    const queue = createCallQueue({ pacer, deliver: () => new Promise(() => {}) })
    const away = queue.send(calls(1), neverAborted, soon())
    await turn()
    for (const grant of waiting) grant()
    await turn()
    const behind = queue.send(calls(1), neverAborted, soon())
    queue.close()
    expect(kinds(await away)).to.deep.equal(['unknown'])
    expect(kinds(await behind)).to.deep.equal(['throttled'])
    expect(kinds(await queue.send(calls(1), neverAborted, soon()))).to.deep.equal(['throttled'])
  })
})
