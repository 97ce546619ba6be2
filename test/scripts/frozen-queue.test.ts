/** A queue that stands still counts none of that time as its callers', and an answer is that of a request. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { joinFleet } from '@courier-fleet/store'
import { type FreshRedis, freePort, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { commandOf, queueProgram } from '../../scripts/programs.mjs'

/** it is frozen before that is over, however late this test comes to it */
const bodyMs = 10_000
const frozenMs = 12_000
const body = JSON.stringify({ to: ['person:nobody'], text: 'late' })

/** for what is in the body, or because its own line to Redis has been silent for too long */
const answered = /^HTTP\/1\.1 (?:422|503) /

describe('a queue that is frozen for longer than a request may take', () => {
  let redis: FreshRedis
  let port: number
  let queue: ChildProcess
  let head: string
  const sockets: Socket[] = []

  before(async () => {
    redis = await freshRedis()
    port = await freePort()
    const program = queueProgram({ redisUrl: redis.url, port })
    const { file, args } = commandOf(program)
    const FLEET_SECRET = 'the secret of the queue that is frozen in this test'
    queue = spawn(file, args, {
      env: { PATH: process.env.PATH, FLEET_SECRET, ...program.env, BODY_TIMEOUT_MS: String(bodyMs) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ready = await Promise.race([once(queue, 'message'), once(queue, 'close').then(() => 'ended')])
    expect(ready, 'it is ready').not.to.equal('ended')
    await joinFleet(redis.redis)
    const keys = createApiKeys({ redis: redis.redis, clock: systemClock })
    const { apiKey } = await keys.create({ owner: 'caller', role: 'admin', label: 'caller' })
    head = [
      'POST /v1/messages HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n')
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(async () => {
    queue.kill('SIGKILL')
    await redis.stop()
  })

  async function open() {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    const line = { socket, came: '', isClosed: false }
    socket.on('data', (data) => (line.came += data))
    socket.on('error', () => {})
    socket.on('close', () => (line.isClosed = true))
    await once(socket, 'connect')
    return line
  }

  /** Whoever connected before this one has been let in. */
  async function isLetIn(): Promise<void> {
    const { socket } = await open()
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
  }

  async function frozen(meanwhile: () => void): Promise<void> {
    queue.kill('SIGSTOP')
    const since = performance.now()
    await until(() => performance.now() - since > frozenMs, 'it has stood still')
    meanwhile()
    queue.kill('SIGCONT')
  }

  it('reads the rest of a body', async () => {
    const line = await open()
    line.socket.write(head)
    await until(() => line.came.includes('100 Continue'), 'it waits for the body')
    line.socket.write(body.slice(0, 10))
    await frozen(() => line.socket.write(body.slice(10)))
    await until(() => line.came.length > 30 || line.isClosed, 'it is answered')
    expect(line.came.split('\r\n\r\n').slice(1).join('\r\n\r\n')).to.match(answered)
  })

  it('reads the rest of a head, and what is sent at last by who had sent nothing', async () => {
    const lines = [await open(), await open()] as const
    const whole = `${head.replace('Expect: 100-continue\r\n', '')}${body}`
    lines[0].socket.write(whole.slice(0, 20))
    await isLetIn()
    await frozen(() => {
      lines[0].socket.write(whole.slice(20))
      lines[1].socket.write(whole)
    })
    for (const line of lines) {
      await until(() => line.came !== '' || line.isClosed, 'it is answered')
      expect(line.came).to.match(answered)
    }
  })
})
