import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { openRedisLine, withThose } from '@courier-fleet/testkit/redis-line'
import { expect } from 'chai'
import { joinLines } from '../src/redis/join-lines.ts'

async function connectAs(name: string, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`*3\r\n$6\r\nclient\r\n$7\r\nsetname\r\n$${name.length}\r\n${name}\r\n`)
  await once(socket, 'data')
  return socket
}

describe('lines joined', () => {
  it('spring a trap once, on whichever catches it, and are refused, for those of that name only', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => socket.write(data))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const [one, other] = [await openRedisLine(port), await openRedisLine(port)]
    const line = joinLines([one, other].map((link) => withThose(link, (name) => name === 'anna')))
    const anna = await connectAs('anna', one.port)
    const again = await connectAs('anna', other.port)
    const boris = await connectAs('boris', one.port)
    try {
      const caught: string[] = []
      line.arm({
        moment: 'before',
        matches: (sent) => sent.includes('record'),
        spring() {
          caught.push('record')
          return 'forward'
        },
      })
      for (const socket of [boris, again, anna]) {
        socket.write('record')
        expect(String((await once(socket, 'data'))[0])).equal('record')
        expect(caught.length).equal(socket === boris ? 0 : 1)
      }
      const closed = [anna, again].map((socket) => once(socket, 'close'))
      await line.refuse()
      await Promise.all(closed)
      boris.write('still here')
      expect(String((await once(boris, 'data'))[0])).equal('still here')
    } finally {
      for (const socket of [anna, again, boris]) socket.destroy()
      await Promise.all([one.close(), other.close()])
      server.close()
    }
  })
})
