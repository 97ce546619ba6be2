import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { untilEndpoints } from '../../scripts/sandbox-link.mjs'

describe('a sandbox', () => {
  it('that does not answer is asked again', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      if (asked > 1) response.end('{"vk":{"port":1}}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      expect(await untilEndpoints({ url, isAlive: () => asked < 3 })).to.deep.equal({ vk: { port: 1 } })
      expect(asked).to.equal(2)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('is waited for no longer than it lives', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    let looks = 0
    const isAlive = () => ++looks < 3
    expect(await untilEndpoints({ url: `http://127.0.0.1:${port}`, isAlive })).to.equal(undefined)
  })
})
