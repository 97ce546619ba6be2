import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError } from '@courier-fleet/client'
import { capturedLog, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createNotes } from '../../src/notes.ts'
import type { VkEvent } from '../../src/vk/event.ts'
import { type Position, readEvents } from '../../src/vk/read-events.ts'

/** An event of the person its name begins with. */
const event = (event_id: string): VkEvent => ({ type: 'message_new', event_id, object: {} })
const worksOf = (events: readonly VkEvent[]) =>
  events.map((each) => ({ of: each.event_id[0] as string, events: [each], isStop: each.event_id.endsWith('stop') }))

describe('the events of a VK community', () => {
  const folder = mkdtempSync(join(tmpdir(), 'courier-fleet-events-'))
  const positions = createNotes<Position>(folder)
  const { log, text } = capturedLog()
  let asked: (string | null)[]
  let answers: object[]
  /** what was begun, in order */
  let begun: string[]
  let refused: (name: string) => boolean
  /** what the API says to whoever is refused */
  let refusal: [status: number, code: string]
  let setAside: string[]
  let waiting: ServerResponse | undefined
  let stopping: AbortController
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://vk').searchParams.get('ts'))
    const answer = answers.shift()
    if (answer) response.end(JSON.stringify(answer))
    else waiting = response
  })
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  beforeEach(() => {
    asked = []
    begun = []
    refused = () => false
    refusal = [429, 'too-many-contacts']
    setAside = []
    waiting = undefined
    stopping = new AbortController()
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  async function deal(events: readonly VkEvent[]): Promise<void> {
    for (const { event_id: name } of events) {
      begun.push(name)
      if (!refused(name)) continue
      const [status, code] = refusal
      throw new ApiError({ type: 'about:blank', title: code, status, code, detail: code })
    }
  }

  function start(): Promise<void> {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const community = { pollServer: async () => ({ server: address, key: 'k', ts: '8' }) }
    const tries = { firstWaitMs: 1, maxWaitMs: 1, max: 5 }
    const reader = { community, groupId: 1, positions, worksOf, deal, tries, log }
    return readEvents({ ...reader, setAside: ({ id }) => setAside.push(id) }, stopping.signal)
  }
  const allRead = () => until(() => waiting !== undefined, 'all is read')

  it('are read on from where VK says when it has lost how far they were, and that some may be lost is said', async () => {
    await positions.put('1', { ts: '5' })
    answers = [{ failed: 3 }, { ts: '9', updates: [event('e')] }]
    const reading = start()
    await allRead()
    stopping.abort()
    await reading
    expect([asked, begun]).to.deep.equal([['5', '8', '9'], ['e']])
    expect(await positions.get('1')).to.deep.equal({ ts: '9', left: [] })
    expect(text()).to.include('some that people wrote may not have been read')
  })

  it('wait each for what the same person wrote before, and hold up nobody else', async () => {
    await positions.put('1', { ts: '1' })
    answers = [
      { ts: '3', updates: [event('a1'), event('b1')] },
      { ts: '5', updates: [event('a2'), event('b2')] },
    ]
    refused = (name) => name === 'a1'
    const reading = start()
    await until(() => begun.includes('b2'), 'what another wrote later is done')
    expect(begun.filter((name) => name !== 'a1')).to.deep.equal(['b1', 'b2'])
    refused = () => false
    await until(() => begun.includes('a2'), 'the one who waited is heard')
    expect(begun.slice(-2)).to.deep.equal(['a1', 'a2'])
    stopping.abort()
    await reading
    expect(await positions.get('1')).to.deep.equal({ ts: '5', left: [] })
  })

  it('are kept while they wait, and dealt with in order by whoever reads next', async () => {
    await positions.put('1', { ts: '1' })
    answers = [
      { ts: '3', updates: [event('a1'), event('b1')] },
      { ts: '4', updates: [event('a2')] },
    ]
    refused = (name) => name.startsWith('a')
    const reading = start()
    await allRead()
    // before it is told to stop: this is what a kill leaves
    const left = [event('a1'), event('a2')]
    await until(async () => (await positions.get('1'))?.left?.length === 2, 'what was done is not kept')
    expect(await positions.get('1')).to.deep.equal({ ts: '4', left })
    stopping.abort()
    await reading
    expect(await positions.get('1')).to.deep.equal({ ts: '4', left })

    stopping = new AbortController()
    answers = [{ ts: '5', updates: [event('a3')] }]
    asked = []
    begun = []
    refused = () => false
    const again = start()
    await until(() => begun.includes('a3'), 'all is dealt with')
    stopping.abort()
    await again
    expect([asked[0], begun]).to.deep.equal(['4', ['a1', 'a2', 'a3']])
    expect(await positions.get('1')).to.deep.equal({ ts: '5', left: [] })
  })

  for (const [what, status, code, tries] of [
    ['is refused, and would be each time, is set aside at once', 400, 'invalid', 1],
    ['fails by itself each time is tried so often', 500, 'internal', 5],
    ['a proxy refuses is tried so often', 404, 'http-404', 5],
  ] as const)
    it(`of which one ${what}, and the next of the same person goes on`, async () => {
      await positions.put('1', { ts: '1' })
      answers = [{ ts: '3', updates: [event('a1'), event('a2')] }]
      refused = (name) => name === 'a1'
      refusal = [status, code]
      const reading = start()
      await until(() => begun.includes('a2'), 'the next is dealt with')
      expect([begun.filter((name) => name === 'a1').length, setAside]).to.deep.equal([tries, ['a1']])
      stopping.abort()
      await reading
      expect(await positions.get('1')).to.deep.equal({ ts: '3', left: [] })
    })

  for (const [what, status, code, name] of [
    ['the API takes no more', 429, 'too-many-contacts', 'a1'],
    ['Redis is away', 503, 'redis-away', 'a1'],
    ['the key of the process is refused', 401, 'unknown-key', 'a1'],
    ['the key of the process is for other channels', 403, 'wrong-channel', 'a1'],
    ['whatever is said to a STOP', 400, 'invalid', 'a-stop'],
    ['a STOP fails by itself', 500, 'internal', 'a-stop'],
  ] as const)
    it(`are kept and tried on where ${what}`, async () => {
      await positions.put('1', { ts: '1' })
      answers = [{ ts: '3', updates: [event(name), event('b1')] }]
      refused = (each) => each === name
      refusal = [status, code]
      const reading = start()
      await until(() => begun.filter((each) => each === name).length > 10, 'it is tried again')
      expect(setAside).to.deep.equal([])
      expect(begun).to.include('b1')
      refused = () => false
      await until(async () => (await positions.get('1'))?.left?.length === 0, 'it is done')
      stopping.abort()
      await reading
    })
})
