/** A browser on this machine is open to every site: none of them may read codes off the phones, or change anything. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import { type Sandbox, startSandbox } from '../../src/sandbox.ts'

describe('pages of other sites at the sandbox', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await startSandbox({ names: ['sandbox'], log: silentLog })
    sandbox.world.accept({
      channel: 'sms',
      address: '+79160000001',
      text: 'Код 12345678',
      key: '1',
      at: 1,
      providerId: '1',
    })
  })
  after(() => sandbox.stop())

  async function call(url: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const asked = request(url, { method, headers }, async (response) =>
        resolve({ status: response.statusCode, body: await text(response) }),
      )
      asked.on('error', reject).end()
    })
    return answer
  }
  const port = () => new URL(sandbox.url).port
  const vk = () =>
    `http://127.0.0.1:${sandbox.endpoints.vk.port}/method/messages.send?access_token=${sandbox.endpoints.vk.token}&v=5.199&user_id=5&random_id=1&message=x`
  const sendsms = () => {
    const { sendsmsUrl, systemId, password } = sandbox.endpoints.sms
    return `${sendsmsUrl}?username=${systemId}&password=${password}&from=1&to=%2B79160000002&text=x`
  }

  it('cannot read under a name of their own that leads here', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port()}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'x y',
    ]) {
      for (const path of ['/accepted', '/wall?find=', '/events', '/phones', '/', '/nothing']) {
        const { status, body } = await call(sandbox.url + path, { host })
        expect(status, `${host}${path}`).to.equal(403)
        expect(body).not.to.contain('12345678')
      }
    }
  })

  it('cannot change anything: forms, scripts and pictures of theirs are refused', async () => {
    const theirs: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { origin: `https://127.0.0.1:${port()}` },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    ]
    for (const headers of theirs) {
      const said = JSON.stringify(headers)
      expect((await call(`${sandbox.url}/reset`, headers, 'POST')).status, said).to.equal(403)
      expect((await call(`${sandbox.url}/faults`, headers, 'DELETE')).status, said).to.equal(403)
      expect((await call(vk(), headers)).status, said).to.equal(403)
      expect((await call(sendsms(), headers)).status, said).to.equal(403)
    }
    for (const url of [vk(), sendsms()]) expect((await call(url, { host: 'evil.example' })).status).to.equal(403)
    expect(sandbox.world.accepted).to.have.length(1)
  })

  it('our own page, programs, links to the phones and other containers go on as before', async () => {
    const { port } = new URL(sandbox.url)
    const ours: Record<string, string>[] = [
      {},
      { host: `localhost:${port}` },
      { host: 'sandbox:8090' },
      { host: '[::1]:8090' },
      { host: '172.18.0.3:8090' },
      { origin: sandbox.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ]
    for (const headers of ours) {
      const said = JSON.stringify(headers)
      expect((await call(`${sandbox.url}/`, headers)).status, said).to.equal(200)
      expect((await call(`${sandbox.url}/accepted`, headers)).body, said).to.contain('12345678')
    }
    expect((await call(vk())).status).to.equal(200)
    expect((await call(sendsms())).status).to.equal(202)
    expect((await call(`${sandbox.url}/reset`, { origin: sandbox.url }, 'POST')).status).to.equal(204)
  })
})
