import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createGuardedClient, type GuardedClient } from '../src/index.ts'
import { nothingSaid, oneAddress, publicOnly } from './settings.ts'

/** Every way of writing an address of this machine, of a network behind it, or of a cloud's own services. */
const literals = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0177.0.0.01',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[100:0:0:1::1]',
  '[2001::1]',
  '[2001:0:7f00:1::]',
  '[2001:2::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2620:4f:8000::1]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[8000::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[::0.1.2.3]',
] as const

describe('a URL that leads into a network of ours', () => {
  let server: Server
  let port: number
  let connections = 0
  const clients: GuardedClient[] = []
  const client = (...args: Parameters<typeof createGuardedClient>) => {
    const made = createGuardedClient(...args)
    clients.push(made)
    return made
  }
  const post = { headers: {}, body: '{}', timeoutMs: 5000 }

  before(async () => {
    server = createServer((_request, response) => response.end('inside'))
    server.on('connection', () => connections++)
    // every address of this machine, of both families
    await new Promise<void>((done) => server.listen(0, '::', done))
    port = (server.address() as AddressInfo).port
  })
  beforeEach(() => {
    connections = 0
  })
  after(async () => {
    await Promise.all(clients.map((each) => each.close()))
    await new Promise((done) => server.close(done))
  })

  it('is there to be reached: the server answers whoever is allowed to call', async () => {
    const answer = await client(oneAddress).post(`http://127.0.0.1:${port}/`, post)
    expect(answer).to.include({ kind: 'answer', status: 200, body: 'inside' })
    expect(connections).to.equal(1)
  })

  it(`is not called, in none of ${literals.length} ways of writing its address`, async () => {
    expect(literals).to.have.length.above(40)
    const guarded = client(publicOnly)
    for (const literal of literals) {
      const answer = await guarded.post(`http://${literal}:${port}/`, post)
      expect(answer, literal).to.have.property('kind', 'blocked')
    }
    expect(connections).to.equal(0)
  })

  it('is not called when a name leads there, whichever of its addresses that is', async () => {
    for (const literal of literals) {
      const address = new URL(`http://${literal}`).hostname.replace(/^\[|\]$/g, '')
      for (const addresses of [[address], ['1.1.1.1', address], [address, '2606:4700:4700::1111']]) {
        const answer = await client(publicOnly, { lookup: async () => addresses }).post(
          `http://hook.example:${port}/`,
          post,
        )
        expect(answer, addresses.join()).to.deep.equal({
          kind: 'blocked',
          why: 'the name hook.example leads to an address that is not public',
        })
      }
    }
    expect(connections).to.equal(0)
  })

  it('is not called by a name that leads elsewhere the next time, and the address it gave is the one that is called', async () => {
    let asked = 0
    const rebinding = client(oneAddress, { lookup: async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2'] })
    const first = await rebinding.post(`http://hook.example:${port}/`, post)
    expect(first).to.include({ kind: 'answer', status: 200 })
    expect(asked, 'asked once for one connection').to.equal(1)
    server.closeAllConnections()
    // the connection that is gone is noticed when the next call is made, or before
    const later = await rebinding.post(`http://hook.example:${port}/x`, post)
    const last = later.kind === 'blocked' ? later : await rebinding.post(`http://hook.example:${port}/x`, post)
    expect(last).to.have.property('kind', 'blocked')
    expect(asked).to.equal(later.kind === 'blocked' ? 2 : asked)
    expect(connections).to.equal(1)
  })

  it('is not called by localhost, which no server is asked for', async () => {
    for (const name of ['localhost', 'a.localhost', 'LOCALHOST', 'localhost.'])
      expect(await client(publicOnly).post(`http://${name}:${port}/`, post), name).to.have.property('kind', 'blocked')
    expect(connections).to.equal(0)
  })

  it('is not called when the answer of the name is no address, or none', async () => {
    for (const addresses of [['not an address'], ['']]) {
      const answer = await client(publicOnly, { lookup: async () => addresses }).post(
        `http://hook.example:${port}/`,
        post,
      )
      expect(answer).to.have.property('kind', 'blocked')
    }
    const none = await client(publicOnly, { lookup: async () => [] }).post(`http://hook.example:${port}/`, post)
    expect(none).to.include({ kind: 'no-answer', why: 'not-connected', sent: false })
    expect(connections).to.equal(0)
  })

  it('is not called by way of a proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${port}`
    try {
      const guarded = client(publicOnly, { lookup: async () => ['10.0.0.1'] })
      expect(await guarded.post(`http://hook.example:${port}/`, post)).to.have.property('kind', 'blocked')
    } finally {
      names.forEach((name, index) => {
        const value = before[index]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      })
    }
    expect(connections).to.equal(0)
  })

  it('is not called where nothing is allowed', async () => {
    for (const url of [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`, `https://[::1]:${port}/`])
      expect(await client(nothingSaid).post(url, post)).to.have.property('kind', 'blocked')
    expect(connections).to.equal(0)
  })
})
