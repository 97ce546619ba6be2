/** A Sentinel tells of a fail-over while it is being asked who is master. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { silentLog } from '@courier-fleet/process'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectRedis, reachRedis } from '../../src/connection/index.ts'

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
const list = (...texts: string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`

/** It says who is master when it is let, and tells of a fail-over when it is told to. */
async function startSentinel(masterPort: string) {
  const sockets = new Set<Socket>()
  const listeners = new Set<Socket>()
  const asking = new Set<Socket>()
  let isLate = false
  const answer = (socket: Socket) => socket.write(list('127.0.0.1', masterPort))
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const each of [sockets, listeners, asking]) each.delete(socket)
    })
    socket.on('data', (chunk) => {
      for (const [, sent = ''] of String(chunk).matchAll(/\*\d+\r\n((?:\$\d+\r\n[^\r]*\r\n)+)/g)) {
        if (/get-master-addr-by-name/i.test(sent)) {
          if (isLate) asking.add(socket)
          else answer(socket)
        } else if (/subscribe/i.test(sent)) {
          listeners.add(socket)
          socket.write(`*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`)
        } else if (/hello/i.test(sent)) socket.write('-ERR unknown command HELLO\r\n')
        else socket.write(/sentinels/i.test(sent) ? '*0\r\n' : '+OK\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    listeners,
    asking,
    answersLate() {
      isLate = true
    },
    tell() {
      for (const socket of listeners) socket.write(list('message', '+switch-master', 'fleet'))
    },
    answerNow() {
      isLate = false
      for (const socket of asking) answer(socket)
      asking.clear()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a connection by way of Sentinels', () => {
  let server: OwnRedis
  before(async () => {
    server = await ownRedis({ appendonly: false })
  })
  after(() => server.stop())

  it('is made again although it is told of the fail-over while it asks who is master', async () => {
    const sentinel = await startSentinel(new URL(server.url).port)
    const redis = connectRedis(`redis+sentinel://127.0.0.1:${sentinel.port}/fleet`, { name: 'patient' })
    try {
      await reachRedis(silentLog, redis)
      await redis.set('a', '1')
      await until(() => sentinel.listeners.size === 1, 'it listens')
      const told = [...sentinel.listeners] as [Socket]
      sentinel.answersLate()
      await server.redis().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      const asked = redis.incr('a')
      await until(() => sentinel.asking.size === 1, 'it asks who is master')
      sentinel.tell()
      await until(() => told.every((socket) => socket.destroyed), 'it has heard it, or hears no more')
      sentinel.answerNow()
      expect(await asked).to.equal(2)
      await until(() => sentinel.listeners.size === 1, 'it listens again')
      const [listening] = [...sentinel.listeners] as [Socket]
      sentinel.tell()
      await until(() => listening.destroyed, 'it has left')
      expect(await redis.get('a')).to.equal('2')
    } finally {
      redis.disconnect()
      await sentinel.stop()
    }
  })
})
