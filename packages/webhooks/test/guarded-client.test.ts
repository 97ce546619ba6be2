import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Answer, createGuardedClient, type GuardedClient } from '../src/index.ts'
import { oneAddress } from './settings.ts'

interface Heard {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** so long that the call is under way by then, on a machine that has other things to do */
const impatientMs = 6_000

describe('the guarded client', () => {
  const open: { close(): unknown }[] = []
  let guarded: GuardedClient
  const post = (url: string, timeoutMs = 30_000, signal?: AbortSignal): Promise<Answer> =>
    guarded.post(url, { headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs }, signal)

  beforeEach(() => {
    guarded = createGuardedClient(oneAddress, { lookup: async () => ['127.0.0.1'] })
  })
  afterEach(async () => {
    await guarded.close()
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  async function serve(listener: RequestListener): Promise<string> {
    const server: Server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push({
      close: () =>
        new Promise((done) => {
          server.close(done)
          server.closeAllConnections()
        }),
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Speaks for itself, byte by byte. */
  async function serveRaw(onSocket: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      onSocket(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push({
      close: () =>
        new Promise((done) => {
          server.close(done)
          for (const socket of sockets) socket.destroy()
        }),
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function hear(request: IncomingMessage): Promise<Heard> {
    const { method, url, headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    return { method, url, headers, body }
  }

  it('posts the body and tells what was answered', async () => {
    const heard: Heard[] = []
    const url = await serve(async (request, response) => {
      heard.push(await hear(request))
      response.writeHead(202, { 'x-note': 'taken', 'set-cookie': ['a=1', 'b=2'] }).end('спасибо')
    })
    const answer = await post(`${url}/hook?to=1`)
    expect(answer).to.deep.include({ kind: 'answer', status: 202, body: 'спасибо', whole: true })
    if (answer.kind !== 'answer') throw new Error('no answer')
    expect(answer.headers).to.include({ 'x-note': 'taken', 'set-cookie': 'a=1, b=2' })
    expect(answer.ms).to.be.within(0, 30_000)
    expect(heard).to.have.length(1)
    expect(heard[0]).to.include({ method: 'POST', url: '/hook?to=1', body: '{"a":1}' })
    expect(heard[0]?.headers).to.include({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      host: url.slice('http://'.length),
    })
  })

  it('follows no redirect: the other address sees nothing', async () => {
    let reached = 0
    const inner = await serve((_request, response) => {
      reached += 1
      response.end()
    })
    const statuses = [301, 302, 303, 307, 308]
    const url = await serve((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { location: inner }).end()
    })
    for (const status of statuses) {
      const answer = await post(`${url}/${status}`)
      expect(answer).to.deep.include({ kind: 'answer', status })
      if (answer.kind === 'answer') expect(answer.headers.location).to.equal(inner)
    }
    expect(reached).to.equal(0)
  })

  it('reads so much of a body and no more, however much is sent', async () => {
    let closedBy: 'client' | undefined
    const url = await serve((_request, response: ServerResponse) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      response.once('close', () => {
        closedBy = 'client'
      })
      more()
    })
    const answer = await post(url)
    expect(answer).to.deep.include({ kind: 'answer', status: 200, whole: false, body: 'x'.repeat(16_384) })
    await until(() => closedBy === 'client', 'the server has heard that nobody reads')
  })

  it('takes no more than 8 KB of headers', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(9000) }).end()
    })
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'bad-answer', sent: true })
  })

  it('gives up when nothing comes, and says that it may have been heard', async () => {
    const url = await serve(() => {})
    const answer = await post(url, impatientMs)
    expect(answer).to.deep.include({
      kind: 'no-answer',
      why: 'timed-out',
      detail: `no answer within ${impatientMs} ms`,
      sent: true,
    })
  })

  it('holds to one limit of time, however the answer drips', async () => {
    const timers: NodeJS.Timeout[] = []
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      timers.push(setInterval(() => socket.write('x-more: 1\r\n'), 20))
    })
    expect(await post(url, impatientMs)).to.deep.include({ kind: 'no-answer', why: 'timed-out', sent: true })
    for (const timer of timers) clearInterval(timer)
  })

  it('takes the status that came, when the body after it does not end', async () => {
    const hanging = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
    })
    expect(await post(hanging, impatientMs)).to.deep.include({
      kind: 'answer',
      status: 200,
      body: 'half',
      whole: false,
    })
    const cut = await serve((_request, response) => {
      response.writeHead(500, { 'content-length': '10' }).write('half', () => response.destroy())
    })
    expect(await post(cut)).to.deep.include({ kind: 'answer', status: 500, body: 'half', whole: false })
  })

  it('says that a connection was cut after the request went out', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.destroy()))
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'cut', sent: true })
  })

  it('sends once, also when the connection it had kept is gone', async () => {
    const paths: (string | undefined)[] = []
    const url = await serve((request, response) => {
      paths.push(request.url)
      if (request.url === '/second') response.destroy()
      else response.end()
    })
    await post(`${url}/first`)
    expect(await post(`${url}/second`)).to.deep.include({ kind: 'no-answer', why: 'cut', sent: true })
    expect(await post(`${url}/third`)).to.deep.include({ kind: 'answer', status: 200 })
    expect(paths).to.deep.equal(['/first', '/second', '/third'])
  })

  it('says that nothing was sent when nobody listens, no name is found or it is no TLS', async () => {
    const url = await serve((_request, response) => response.end())
    await open.pop()?.close()
    expect(await post(url)).to.deep.include({
      kind: 'no-answer',
      why: 'not-connected',
      detail: 'no connection (ECONNREFUSED)',
      sent: false,
    })
    const plain = await serve((_request, response) => response.end())
    expect(await post(plain.replace('http:', 'https:'))).to.deep.include({
      kind: 'no-answer',
      why: 'not-connected',
      sent: false,
    })
    const nameless = createGuardedClient(oneAddress, {
      lookup: async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
      },
    })
    open.push(nameless)
    const answer = await nameless.post('http://hook.example/', { headers: {}, body: '' })
    expect(answer).to.deep.include({
      kind: 'no-answer',
      why: 'not-connected',
      detail: 'the name hook.example cannot be resolved (ENOTFOUND)',
      sent: false,
    })
  })

  it('gives up on a name that is not answered for, with nothing sent', async () => {
    const silent = createGuardedClient(oneAddress, { lookup: () => new Promise(() => {}) })
    open.push(silent)
    const answer = await silent.post('http://hook.example/', { headers: {}, body: '', timeoutMs: 100 })
    expect(answer).to.deep.include({ kind: 'no-answer', why: 'timed-out', sent: false })
  })

  it('sends nothing any more once it has said that nothing was sent', async () => {
    const paths: (string | undefined)[] = []
    const url = await serve((request, response) => {
      paths.push(request.url)
      response.end()
    })
    let asked = 0
    let answer = (_addresses: string[]) => {}
    const answered = new Promise<string[]>((resolve) => {
      answer = resolve
    })
    const lookup = () => {
      asked += 1
      return answered
    }
    const slow = createGuardedClient(oneAddress, { lookup })
    open.push(slow)
    const call = (path: string, timeoutMs: number) =>
      slow.post(`${url.replace('127.0.0.1', 'hook.example')}${path}`, { headers: {}, body: '', timeoutMs })
    expect(await call('/first', 100)).to.deep.include({ kind: 'no-answer', why: 'timed-out', sent: false })
    const second = call('/second', 60_000)
    await until(() => asked === 2, 'the second asks for the address')
    answer(['127.0.0.1'])
    expect(await second).to.deep.include({ kind: 'answer', status: 200 })
    // whatever was still to come on the first connection has come before this
    expect(await call('/third', 60_000)).to.deep.include({ kind: 'answer', status: 200 })
    expect(await call('/fourth', 60_000)).to.deep.include({ kind: 'answer', status: 200 })
    expect(paths).to.deep.equal(['/second', '/third', '/fourth'])
  })

  it('takes what is no HTTP for no answer', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')))
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'bad-answer', sent: true })
  })

  it('stops when it is told to, at once, and sends nothing afterwards', async () => {
    let heard = 0
    const url = await serve(() => {
      heard += 1
      stopping.abort()
    })
    const stopping = new AbortController()
    expect(await post(url, 30_000, stopping.signal)).to.deep.include({ kind: 'no-answer', why: 'stopped', sent: true })
    expect(await post(url, 30_000, stopping.signal)).to.deep.include({ kind: 'no-answer', why: 'stopped', sent: false })
    await guarded.close()
    expect(await post(url)).to.deep.include({ kind: 'no-answer', why: 'stopped', sent: false })
    expect(heard).to.equal(1)
  })

  it('is not held up by an endpoint that hangs', async () => {
    const hanging = await serve(() => {})
    const quick = await serve((_request, response) => response.end('here'))
    const held = Array.from({ length: 50 }, () => post(hanging, 600_000))
    for (let n = 0; n < 20; n++) expect(await post(quick)).to.deep.include({ kind: 'answer', body: 'here' })
    await guarded.close()
    expect((await Promise.all(held)).map(({ kind }) => kind)).to.deep.equal(Array(50).fill('no-answer'))
  })
})
