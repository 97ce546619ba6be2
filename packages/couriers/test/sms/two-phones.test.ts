/** Somebody with phones of whom a gateway reports by ids of ours: over real sockets, through the whole engine, on a real Redis. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HistoryRef } from '@courier-fleet/api-types'
import { silentLog, systemClock } from '@courier-fleet/process'
import { freePort, noUploads, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { smsConfig } from '../../src/sms/config.ts'
import { buildSmsCourier } from '../../src/sms/courier.ts'
import { createFixture, type Fixture } from '../engine/fixture.ts'
import { quickTiming } from './fixture.ts'

const [first, second, third] = ['+79000001001', '+79000002002', '+79000003003'] as const

describe('SMS by HTTP: several phones of one person', () => {
  let fixture: Fixture
  let gateway: Server
  /** by number, in the order in which the gateway was given them: where it reports */
  const reportTo = new Map<string, string>()

  beforeEach(async () => {
    fixture = await createFixture()
    reportTo.clear()
    gateway = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://gateway')
      const url = searchParams.get('dlr-url')
      if (url) reportTo.set(searchParams.get('to') as string, url)
      response.writeHead(202).end()
    })
    gateway.listen(0, '127.0.0.1')
    await once(gateway, 'listening')
  })
  afterEach(async () => {
    await fixture.stop()
    gateway.closeAllConnections()
    gateway.close()
    await once(gateway, 'close')
  })

  async function run(): Promise<void> {
    const port = String(await freePort())
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
    const config = smsConfig({
      SMS_TARGET: 'sandbox',
      SMS_HTTP_URL: `http://fleet:secret@127.0.0.1:${(gateway.address() as AddressInfo).port}/cgi-bin/sendsms`,
      SMS_HTTP_CALLBACK_URL: `http://127.0.0.1:${port}`,
      SMS_HTTP_CALLBACK_PORT: port,
    })
    const deps = {
      log: silentLog,
      clock: systemClock,
      pacer: { take: async () => {} },
      uploads: noUploads,
      onReport: reports.receive,
    }
    await fixture.run(buildSmsCourier(config, deps, quickTiming))
  }
  const report = async (address: string, is: 'delivered' | 'undelivered') => {
    const url = (reportTo.get(address) as string).replace('%d', is === 'delivered' ? '1' : '2').replace('%A', is)
    expect((await fetch(url)).status).to.equal(200)
  }
  const receipt = async (ref: HistoryRef) => (await fixture.receipts(ref))[0]?.channels.sms
  /** answered, and noted with the number that took it */
  const isSentTo = async (ref: HistoryRef, contact: string) => {
    await until(async () => {
      const found = await receipt(ref)
      return found?.state === 'sent' && found.contact === contact
    }, `it is sent to the phone …${contact}`)
    await fixture.settled(ref)
  }

  it('a report that comes again is not taken for one of the phone that has it since', async () => {
    const [person] = (await fixture.people(1, 'sms')) as [string]
    for (const address of [second, third]) await fixture.directory.addContact('sms', person, address)
    await run()
    const ref = await fixture.put([person], { channels: ['sms'] })
    await isSentTo(ref, '01')
    await report(first, 'undelivered')
    await isSentTo(ref, '02')

    // its answer was lost on the way to the gateway
    await report(first, 'undelivered')
    expect(await receipt(ref)).to.include({ state: 'sent', contact: '02' })
    await report(second, 'delivered')
    const found = await until(async () => {
      const now = await receipt(ref)
      return now?.state === 'delivered' && now
    }, 'the second has it')
    expect(found).to.include({ contact: '02' })
    expect(found.earlier).to.have.length(1)
    expect(found.earlier?.[0]).to.include({ contact: '01', state: 'failed', reason: 'undelivered' })
    expect([...reportTo.keys()]).to.deep.equal([first, second])
    for (const { balanced } of await fixture.histories.recount(ref)) expect(balanced).to.equal(true)
  })
})
