import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { freePort, startMonitor, until } from '../src/index.ts'

const line = '+1700000000.000001 [0 127.0.0.1:1] "ping"\r\n'

describe('a monitor', () => {
  let server: Server | undefined
  let redis: Redis | undefined
  const sockets = new Set<Socket>()
  afterEach(() => {
    redis?.disconnect()
    for (const socket of sockets) socket.destroy()
    server?.close()
  })

  /** A Redis that answers OK to everything, and by this to MONITOR. */
  async function listen(answer: (socket: Socket) => void): Promise<Redis> {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('data', (data) => {
        for (const command of data.toString().split('*').slice(1))
          if (/\r\nmonitor\r\n/i.test(command)) answer(socket)
          else socket.write('+OK\r\n')
      })
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return new Redis({ port, lazyConnect: true, enableReadyCheck: false, retryStrategy: () => 10 })
  }

  it('begins also where the first line comes together with the OK', async () => {
    let asked = 0
    redis = await listen((socket) => {
      asked += 1
      socket.write(asked === 1 ? `+OK\r\n${line}` : '+OK\r\n')
      if (asked > 1) setTimeout(() => socket.write(line), 50)
    })
    const monitor = await startMonitor(redis)
    const heard: string[][] = []
    monitor.on('monitor', (_time: string, args: string[]) => heard.push(args))
    await until(() => heard.length > 0, 'a line is heard')
    expect(heard).to.deep.equal([['ping']])
    expect(asked).to.equal(2)
    monitor.disconnect()
  })

  it('does not begin where Redis refuses it', async () => {
    redis = await listen((socket) =>
      socket.write("-NOPERM this user has no permissions to run the 'monitor' command\r\n"),
    )
    const error = await startMonitor(redis).catch((thrown: Error) => thrown)
    expect(error).to.be.instanceOf(Error)
    expect((error as Error).message).to.match(/^NOPERM/)
  })
})
