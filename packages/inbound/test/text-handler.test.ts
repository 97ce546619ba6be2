/** Texts that the API refuses, through the real client over a real socket. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@courier-fleet/process'
import { capturedLog, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createAnswers } from '../src/answers.ts'
import { connectFleet } from '../src/fleet.ts'
import { createSetAside } from '../src/set-aside.ts'
import { createTextHandler } from '../src/text-handler.ts'
import { wordingFor, wordingLike } from '../src/vk/wording.ts'

describe('a text that the API refuses', () => {
  const { log, text: logged } = capturedLog()
  const calls: string[] = []
  let refusal: { readonly status: number; readonly code: string }
  const api = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    calls.push(`${request.url} ${body}`)
    if (request.url === '/v1/contacts:set-aside') return void response.writeHead(204).end()
    const problem = { ...refusal, type: 'about:blank', title: '', detail: 'no such thing as "тайна"', field: 'address' }
    response.writeHead(refusal.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
  })
  before(() => once(api.listen(0, '127.0.0.1'), 'listening'))
  beforeEach(() => calls.splice(0))
  after(() => {
    api.closeAllConnections()
    api.close()
  })

  function handle(text: string) {
    const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    const fleet = connectFleet({ apiUrl, apiKey: 'k', channel: 'vk' })
    const respond = () => Promise.reject(new Error('nobody is known'))
    const handler = createTextHandler({
      channel: 'vk',
      fleet,
      answers: createAnswers({ client: fleet.own, channel: 'vk' }),
      setAside: createSetAside({ own: fleet.own, channel: 'vk', log }),
      respond,
      wordingFor,
      wordingLike,
      clock: systemClock,
      log,
      repeatMs: 1000,
    })
    return handler({ from: '5001', to: '', text, id: 'event-7' })
  }

  it('for good is taken: the log says which and why and not what it says, and the fleet is told to count it', async () => {
    refusal = { status: 422, code: 'unknown-type' }
    expect((await handle('тайна')).reply).to.equal(undefined)
    await until(() => calls.length === 2, 'it is counted')
    expect(calls[1]).to.equal('/v1/contacts:set-aside {"channel":"vk","reason":"unknown-type"}')
    expect(logged()).to.include('event-7').and.include('unknown-type').and.include('set aside')
    expect(logged()).not.to.include('тайна')
  })

  for (const [what, said, status, code] of [
    ['for now', 'тайна', 429, 'too-many-contacts'],
    ['because of the key', 'тайна', 401, 'unknown-key'],
    ['for good, where it is STOP', 'СТОП', 400, 'invalid'],
  ] as const)
    it(`${what}, is brought again`, async () => {
      refusal = { status, code }
      const error = await handle(said).catch((thrown: unknown) => thrown)
      expect(error).to.have.nested.property('problem.code', code)
      expect(calls).to.have.length(1)
    })
})
