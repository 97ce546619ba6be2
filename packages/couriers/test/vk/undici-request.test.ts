import dns from 'node:dns'
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createCertificate, freePort, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { API, APIRequest, type IAPIRequestOptions } from 'vk-io'
import { createVkApi, type VkApi } from '../../src/vk/api-call.ts'

const token = 'vk1.a.a-token-of-the-transport'
const unknown = (why: string) => ({ kind: 'failed', outcome: { kind: 'unknown', why } })
const notSent = (why: string) => ({
  kind: 'failed',
  outcome: { kind: 'not-sent', why: `VK cannot be reached (${why})` },
})
const brokenOff = (code: string) => unknown(`the connection to VK broke off (${code})`)
const notInTime = (ms: number) => unknown(`VK did not answer within ${ms} ms`)
const answered = (response: unknown) => ({ kind: 'answered', response, executeErrors: [] })

describe("vk: the transport beneath vk-io's requests", () => {
  const endings: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })

  /** @returns its port, and the connections it has */
  async function listen<Some extends Server>(server: Some) {
    const sockets = new Set<Socket>()
    let made = 0
    server.on('connection', (socket) => {
      made += 1
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endings.push(async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    })
    return { port: (server.address() as AddressInfo).port, sockets, made: () => made }
  }

  function apiAt(base: string, timeoutMs = 10_000): VkApi {
    const api = createVkApi({ token, apiBaseUrl: base, timeoutMs })
    endings.push(() => api.close())
    return api
  }

  /** VK over HTTP: what it was asked, and what it answers. */
  async function http(answer: (request: IncomingMessage, response: ServerResponse) => void, timeoutMs?: number) {
    const asked: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      asked.push({ url: request.url, headers: request.headers, body })
      answer(request, response)
    })
    const listening = await listen(server)
    const base = `http://127.0.0.1:${listening.port}/method`
    return { ...listening, server, asked, base, api: apiAt(base, timeoutMs) }
  }

  /** A server that lets each connection be what the test makes of it, once all of a request is there. */
  async function raw(meet: (socket: Socket) => void, timeoutMs?: number) {
    const server = createTcpServer((socket) => {
      let seen = ''
      socket.on('data', (data) => {
        seen += data.toString('latin1')
        if (/\r\n\r\n.*access_token=/s.test(seen)) meet(socket)
      })
    })
    const listening = await listen(server)
    return { ...listening, api: apiAt(`http://127.0.0.1:${listening.port}`, timeoutMs) }
  }

  /** vk-io's own request, with what is beneath it. */
  async function asLibrary(base: string, asked: Omit<IAPIRequestOptions, 'api'>): Promise<unknown> {
    const agent = new Agent()
    // its type asks for an https agent, node-fetch takes the one that fits the URL
    const api = new API({ token, apiBaseUrl: base, agent: agent as never })
    return new APIRequest({ api, ...asked }).make().finally(() => agent.destroy())
  }

  const execute = (api: VkApi) => api.call('execute', { code: 'return 1;' })
  const json = (response: ServerResponse, body: unknown) => void response.end(JSON.stringify(body))

  describe('asks and reads as vk-io does', () => {
    it('the same method, form and headers of the library', async () => {
      const { api, base, asked } = await http((_request, response) => json(response, { response: 1 }))
      const text0 = 'Ёж & ko=ala + 10 % 🦔 \ud83e ~!*()\'"\r\n'
      const params = { code: 'return [1 + 1];', text0, peers0: '1,2', 'a b': '', count: 7 }
      await asLibrary(base, { method: 'execute', params })
      expect(await api.call('execute', params)).to.deep.equal(answered(1))
      const [first, second] = asked.map(({ url, headers, body }) => ({
        url,
        // what says how it is transported, and that any answer is welcome
        headers: { ...headers, accept: undefined, 'content-length': undefined },
        form: [...new URLSearchParams(body)],
      }))
      expect(second).to.deep.equal(first)
      expect(second?.form).to.deep.include(['access_token', token])
      expect(second?.form).to.deep.include(['text0', text0.replace('\ud83e ', '\ufffd ')])
    })

    it('the same answer, whatever its status, in however many pieces', async () => {
      const body = Buffer.from('\ufeff{"response":"Ёж"}')
      const { api, base } = await http(async (_request, response) => {
        response.writeHead(500).flushHeaders()
        for (const octet of body) await new Promise((resolve) => response.write(Buffer.from([octet]), resolve))
        response.end()
      })
      expect(await asLibrary(base, { method: 'execute', params: {} })).to.deep.equal({ response: 'Ёж' })
      expect(await execute(api)).to.deep.equal(answered('Ёж'))
    })
  })

  describe('nothing has left', () => {
    it('where nobody listens', async () => {
      const api = apiAt(`http://127.0.0.1:${await freePort()}`)
      expect(await execute(api)).to.deep.equal(notSent('ECONNREFUSED'))
    })

    it('where there is no such host', async () => {
      const answer = await execute(apiAt('http://vk.invalid'))
      expect(answer)
        .to.have.nested.property('outcome.why')
        .that.matches(/^VK cannot be reached \((ENOTFOUND|EAI_AGAIN)\)$/)
      expect(answer).to.have.nested.property('outcome.kind', 'not-sent')
    })

    it('where nobody has vouched for whoever answers', async () => {
      let requests = 0
      const server = createSecureServer(createCertificate(), () => (requests += 1))
      const { port } = await listen(server)
      expect(await execute(apiAt(`https://127.0.0.1:${port}`))).to.deep.equal(notSent('DEPTH_ZERO_SELF_SIGNED_CERT'))
      expect(requests).to.equal(0)
    })

    it('where whoever answers knows no TLS', async () => {
      const { port } = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
      const answer = await execute(apiAt(`https://127.0.0.1:${port}`))
      expect(answer).to.have.nested.property('outcome.kind', 'not-sent')
    })

    it('where there is no connection in time', async () => {
      const { port } = await listen(createTcpServer((socket) => socket.resume()))
      expect(await execute(apiAt(`https://127.0.0.1:${port}`, 100))).to.deep.equal(notSent('no connection in time'))
    })

    it('and nothing leaves afterwards, when there is a connection after all', async () => {
      const octets: Buffer[] = []
      const { port, made, sockets } = await listen(
        createTcpServer((socket) => socket.on('data', (data) => octets.push(data))),
      )
      const { lookup } = dns
      endings.push(() => Object.assign(dns, { lookup }))
      let name = (_error: null, _found: unknown) => {}
      Object.assign(dns, { lookup: (_host: string, _options: object, found: typeof name) => (name = found) })
      const api = apiAt(`http://vk.example:${port}`, 100)
      expect(await execute(api)).to.deep.equal(notSent('no connection in time'))
      name(null, [{ address: '127.0.0.1', family: 4 }])
      const isOver = () => sockets.size === 0 || octets.length > 0
      await until(() => made() === 1 && isOver(), 'a connection is made, and ended')
      expect(Buffer.concat(octets).toString()).to.equal('')
    })

    it('after it was closed', async () => {
      const { api, asked } = await http((_request, response) => json(response, { response: 1 }))
      await api.close()
      expect(await execute(api)).to.deep.equal(notSent('UND_ERR_DESTROYED'))
      expect(asked).to.have.length(0)
    })
  })

  describe('nobody knows what became of it', () => {
    it('where the connection is reset before any answer', async () => {
      const { api, made } = await raw((socket) => socket.resetAndDestroy())
      expect(await execute(api)).to.deep.equal(brokenOff('ECONNRESET'))
      expect(made(), 'it was not sent again').to.equal(1)
    })

    it('where it is ended before any answer', async () => {
      const { api, made } = await raw((socket) => socket.end())
      expect(await execute(api)).to.deep.equal(brokenOff('UND_ERR_SOCKET'))
      expect(made(), 'it was not sent again').to.equal(1)
    })

    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
    const beginnings = {
      'a length': `${head}Content-Length: 20\r\n\r\n{"response":`,
      chunks: `${head}Transfer-Encoding: chunked\r\n\r\nd\r\n{"response":1\r\n`,
      head: 'HTTP/1.1 200 OK\r\nContent-Ty',
    }
    for (const [what, beginning] of Object.entries(beginnings)) {
      it(`where it is reset in the middle of an answer: ${what}`, async () => {
        const { api } = await raw((socket) =>
          socket.write(beginning, () => setImmediate(() => socket.resetAndDestroy())),
        )
        // by which name depends on whether the kernel still hands out what came before the reset
        expect(JSON.stringify(await execute(api))).to.be.oneOf(
          ['ECONNRESET', 'UND_ERR_SOCKET'].map((code) => JSON.stringify(brokenOff(code))),
        )
      })

      it(`where it is ended in the middle of an answer: ${what}`, async () => {
        const { api } = await raw((socket) => socket.end(beginning))
        expect(await execute(api)).to.deep.equal(brokenOff('UND_ERR_SOCKET'))
      })
    }

    it('where an answer without a length breaks off', async () => {
      const { api } = await raw((socket) => socket.end(`${head}Connection: close\r\n\r\n{"response":`))
      expect(await execute(api)).to.deep.equal(unknown('VK answered with something that is no JSON'))
    })

    it('where no answer comes in time, or not all of it', async () => {
      const used: Socket[] = []
      let calls = 0
      // one that has not left in time, for the process stood still, is not what is asked about here
      const whenSent = (api: VkApi) =>
        until(async () => {
          const before = used.length
          calls += 1
          const answer = await execute(api)
          return used.length > before && answer
        }, 'it was sent in time')
      const silent = await raw((socket) => used.push(socket), 200)
      expect(await whenSent(silent.api)).to.deep.equal(notInTime(200))
      const slow = await raw((socket) => {
        used.push(socket)
        socket.write(beginnings.chunks)
      }, 200)
      expect(await whenSent(slow.api)).to.deep.equal(notInTime(200))
      await until(() => used.every(({ destroyed }) => destroyed), 'the connection of what was given up is gone')
      expect(used.length, 'each was sent once').to.be.within(2, calls)
    })

    it('where what answers is no HTTP', async () => {
      const { api } = await raw((socket) => socket.end('+PONG\r\n'))
      expect(await execute(api)).to.have.nested.property('outcome.kind', 'unknown')
    })

    it('where the answer is no JSON: nothing, a page of a gateway, another place', async () => {
      const pages: [number, string][] = [
        [200, ''],
        [200, 'OK'],
        [502, '<html><h1>502 Bad Gateway</h1></html>'],
        [302, ''],
      ]
      const { api, asked } = await http((_request, response) => {
        const [status, page] = pages[asked.length - 1] ?? [500, '']
        response.writeHead(status, { location: '/elsewhere' }).end(page)
      })
      for (const _page of pages)
        expect(await execute(api)).to.deep.equal(unknown('VK answered with something that is no JSON'))
      expect(asked, 'each was asked once').to.have.length(pages.length)
    })

    it('where it is closed meanwhile', async () => {
      const { api, asked, sockets } = await http(() => {})
      const answer = execute(api)
      await until(() => asked.length === 1, 'it was asked')
      await api.close()
      expect(await answer).to.deep.equal(brokenOff('UND_ERR_DESTROYED'))
      await until(() => sockets.size === 0, 'no connection is left')
    })
  })

  describe('its connections', () => {
    it('serve one request after the other, and as many at once as there are', async () => {
      const waiting: ServerResponse[] = []
      const { api, made, sockets, asked } = await http((_request, response) => waiting.push(response))
      const warnings: Error[] = []
      const warn = (warning: Error) => void warnings.push(warning)
      process.on('warning', warn)
      endings.push(() => process.off('warning', warn))
      const answerAll = () => {
        for (const response of waiting.splice(0)) json(response, { response: 1 })
      }
      for (let i = 1; i <= 5; i++) {
        const answer = execute(api)
        await until(() => asked.length === i, 'it was asked')
        answerAll()
        expect(await answer).to.deep.equal(answered(1))
      }
      // one on which an answer has just come is not used again at once: undici waits for whether it is closed
      expect(made()).to.be.at.most(2)
      const answers = Array.from({ length: 40 }, () => execute(api))
      await until(() => waiting.length === 40, 'all wait at once')
      answerAll()
      expect(await Promise.all(answers)).to.deep.equal(Array(40).fill(answered(1)))
      expect(made()).to.be.within(40, 42)
      await api.close()
      await until(() => sockets.size === 0, 'none is left')
      expect(warnings).to.deep.equal([])
    })

    it('are made anew where VK has closed one that was kept', async () => {
      const { api, sockets, made } = await http((_request, response) => json(response, { response: 1 }))
      for (let i = 1; i <= 3; i++) {
        expect(await execute(api)).to.deep.equal(answered(1))
        expect(made()).to.equal(i)
        for (const socket of sockets) socket.end()
        await until(() => sockets.size === 0, 'both sides have ended it')
      }
    })

    it('that are being made end with it', async () => {
      const { port, sockets } = await listen(createTcpServer((socket) => socket.resume()))
      const api = apiAt(`https://127.0.0.1:${port}`)
      const answer = execute(api)
      await until(() => sockets.size === 1, 'it connects')
      await api.close()
      expect(await answer).to.deep.equal(notSent('UND_ERR_DESTROYED'))
      await until(() => sockets.size === 0, 'no connection is left')
    })
  })
})
