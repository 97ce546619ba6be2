/** Whatever is said to the socket of the gateway, it goes on: an exception that nobody catches fails the test. */
import { silentLog } from '@courier-fleet/process'
import { freePort, throwMany } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Receiver } from '../../src/receiver.ts'
import { createHttpReceiver } from '../../src/sms/http-receiver.ts'

const secret = 'a-secret-of-the-gateway'

describe('texts from a gateway: bytes that nobody expects', () => {
  let receiver: Receiver
  let port: number
  const taken: string[] = []
  before(async () => {
    port = await freePort()
    receiver = createHttpReceiver({
      host: '127.0.0.1',
      port,
      secret,
      handleText: async ({ text }) => {
        taken.push(text)
        return { name: 'one', reply: `read: ${text}` }
      },
      finish: async () => {},
      log: silentLog,
    })
    await receiver.start(new AbortController().signal)
  })
  after(() => receiver.stop())

  it('are refused, and what is right is taken after them', async () => {
    const query = `secret=${secret}&from=%2B79160000001&text=%D0%90&charset=UTF-8&coding=2`
    const call = (target: string) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    const targets = [
      '//',
      `/sms-inbound?${query}`,
      `/sms-inbound?secret=${secret}&text=%FF&charset=utf-77&coding=7`,
      `/sms-inbound?secret=${secret}&from=&text=%D0`,
      '/sms-inbound?secret=&from=%00&text=%&charset=utf-77',
    ]
    const samples = targets.map(call)
    await throwMany({ port }, samples, 200)
    const before = taken.length
    const answer = await fetch(`http://127.0.0.1:${port}/sms-inbound?${query}`)
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'read: А'])
    expect(taken.slice(before)).to.deep.equal(['А'])
    expect((await fetch(`http://127.0.0.1:${port}/sms-inbound?secret=`)).status).to.equal(403)
  })
})
