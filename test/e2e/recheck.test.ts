/** An address that is asked before a message is sent, by real couriers of three channels, and what its sender is told. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const members = membersOf('ivt-101')

describe('a message with a recheck', () => {
  let fleet: Fleet
  const asked: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  let answer = 'ok'
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ headers: request.headers, body })
      response.end(answer)
    })
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/still-on`

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    fleet = await startFleet({ couriers: { telegram: 2 } })
  })
  after(async () => {
    await fleet.stop()
    server.closeAllConnections()
    server.close()
  })

  const send = async (text: string) => fleet.api.send({ to: ['group:ivt-101'], text, recheck: { url: url() } })

  it('goes out after one ok, on all channels', async () => {
    const key = await send('ещё в силе')
    expect((await fleet.api.track(key)).settled).to.equal(true)
    expect(addressesIn(await fleet.sandbox.accepted('ещё в силе'))).to.deep.equal(goodContacts(members))
    expect(asked).to.have.length(1)
    expect(JSON.parse(asked[0]?.body ?? '')).to.include({ type: 'recheck', history: key })
    expect(asked[0]?.headers['webhook-signature']).to.match(/^v1,[\w+/]{43}=$/)
    const { body } = await fleet.api.call<HistoryView>('GET', `/v1/histories/${key}`)
    expect(body.recheck).to.include({ url: url(), asked: 1, ok: 1, error: 0, silent: 0 })
  })

  it('is sent to nobody after an error, and waits, told so, while there is no answer', async () => {
    answer = 'error'
    const key = await send('уже нет')
    expect((await fleet.api.track(key)).settled).to.equal(true)
    expect(await fleet.sandbox.accepted('уже нет')).to.deep.equal([])
    const reasons = (await fleet.api.receipts(key)).flatMap(({ channels }) => channels.sms?.reason ?? [])
    expect(new Set(reasons)).to.include('recheck-said-no')
    answer = 'maybe'
    const silent = await send('кто знает')
    const view = async () => (await fleet.api.call<HistoryView>('GET', `/v1/histories/${silent}`)).body
    const { recheck } = await until(async () => {
      const seen = await view()
      const isWhy = seen.recheck?.lastSilence === 'it answered 200, but neither ok nor error'
      return isWhy && seen.waiting?.some(({ cause }) => cause === 'recheck') && seen
    }, 'they wait, and why is known')
    expect(recheck?.silent).to.be.above(0)
    await fleet.api.call('DELETE', `/v1/histories/${silent}`)
    expect(await fleet.sandbox.accepted('кто знает')).to.deep.equal([])
  })
})
