import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capturedLog } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createNotes } from '../../src/notes.ts'
import { type Position, readEvents } from '../../src/vk/read-events.ts'

describe('the events of a VK community', () => {
  it('are read on from where VK says when it has lost how far they were, and that some may be lost is said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'courier-fleet-events-'))
    const positions = createNotes<Position>(folder)
    await positions.put('1', { ts: '5' })
    const asked: (string | null)[] = []
    const stopping = new AbortController()
    const answers: object[] = [
      { failed: 3 },
      { ts: '9', updates: [{ type: 'message_new', event_id: 'e', object: {} }] },
    ]
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://vk').searchParams.get('ts'))
      const answer = answers.shift()
      if (answer) response.end(JSON.stringify(answer))
      else stopping.abort()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { log, text } = capturedLog()
    const seen: string[] = []
    const reader = {
      community: { pollServer: async () => ({ server: address, key: 'k', ts: '8' }) },
      groupId: 1,
      positions,
      onEvents: async (events: readonly { readonly event_id: string }[]) => {
        for (const { event_id } of events) seen.push(event_id)
      },
      log,
    }
    try {
      await readEvents(reader, stopping.signal)
      expect([asked, seen]).to.deep.equal([['5', '8', '9'], ['e']])
      expect(await positions.get('1')).to.deep.equal({ ts: '9' })
      expect(text()).to.include('some that people wrote may not have been read')
    } finally {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })
})
