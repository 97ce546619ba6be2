/**
 * Gives a file of Redis's data to an empty Redis: for a moment it is made a replica of this process, which sends the file as a
 * master would. So Redis's disk need not be reached, and its append-only file begins with these data.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSameSecret } from '@courier-fleet/process'
import type { RedisNode } from '@courier-fleet/store'
import { BackupError } from './backup-error.ts'

const pollMs = 50

/**
 * @param address of this machine, as that Redis reaches it
 * @throws BackupError when Redis does not take it; it is a master again then
 */
export async function loadFile(
  redis: RedisNode,
  { file, size, address }: { file: string; size: number; address: string },
) {
  const password = randomBytes(24).toString('hex')
  const master = createMaster({ file, size, password })
  await new Promise<void>((resolve, reject) => {
    master.server.once('error', reject)
    master.server.listen(0, address, resolve)
  })
  const before = await settings(redis, ['masterauth', 'masteruser'])
  try {
    await redis.config('SET', 'masteruser', '', 'masterauth', password)
    await redis.replicaof(address, (master.server.address() as AddressInfo).port)
    await untilTaken(redis, master)
  } finally {
    await redis.replicaof('NO', 'ONE')
    await redis.config('SET', ...before)
    master.stop()
  }
  await untilKept(redis)
}

/** Its append-only file is written anew with what it has been given: until then a crash would leave it empty. */
async function untilKept(redis: RedisNode): Promise<void> {
  for (;;) {
    const info = await redis.info('persistence')
    const is = (field: string) => new RegExp(`^${field}\\r?$`, 'm').test(info)
    if (is('aof_rewrite_in_progress:0') && is('aof_rewrite_scheduled:0')) {
      if (is('aof_enabled:0') || is('aof_last_bgrewrite_status:ok')) return
      throw new BackupError('Redis has the backup, but cannot write its append-only file; its own log says why')
    }
    await sleep(pollMs)
  }
}

async function settings(redis: RedisNode, names: readonly string[]): Promise<[string, string, ...string[]]> {
  const found = await Promise.all(names.map((name) => redis.config('GET', name) as Promise<string[]>))
  return found.flatMap(([name = '', value = '']) => [name, value]) as [string, string]
}

async function untilTaken(redis: RedisNode, master: Master): Promise<void> {
  for (;;) {
    const info = await redis.info('replication')
    if (/^master_link_status:up\r?$/m.test(info)) return
    if (/^role:master\r?$/m.test(info))
      throw new BackupError('Redis was started anew meanwhile: empty it, and begin again')
    if (master.asked() > 1) throw new BackupError('Redis has not taken the backup; its own log says why')
    await sleep(pollMs)
  }
}

interface Master {
  readonly server: Server
  /** how often the data were asked for */
  asked(): number
  stop(): void
}

/** Answers a replica as far as it asks before it has the data. */
function createMaster({ file, size, password }: { file: string; size: number; password: string }): Master {
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    let text = ''
    let isKnown = false
    let isSent = false
    const answer = (words: readonly string[]) => {
      const command = words[0]?.toUpperCase()
      if (command === 'AUTH') isKnown = isSameSecret(words.at(-1), password)
      if (!isKnown) return void socket.write('-NOAUTH Authentication required.\r\n')
      if (command === 'PING') return void socket.write('+PONG\r\n')
      if (command !== 'PSYNC') return void socket.write('+OK\r\n')
      asked += 1
      // a second time: it has not taken it, and would not now
      if (asked > 1) return void socket.destroy()
      isSent = true
      socket.write(`+FULLRESYNC ${randomBytes(20).toString('hex')} 0\r\n$${size}\r\n`)
      pipeline(createReadStream(file), socket, { end: false }).catch(() => socket.destroy())
    }
    socket.on('data', (chunk) => {
      // what it acknowledges from then on is of no account
      if (isSent) return
      text += chunk.toString('latin1')
      for (let command = commandIn(text); command; command = commandIn(text)) {
        text = text.slice(command.length)
        answer(command.words)
      }
    })
  })
  return {
    server,
    asked: () => asked,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The first command of a text, an array of strings, with its length; undefined while it is not all there. */
function commandIn(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (!head) return undefined
  const words: string[] = []
  let at = head[0].length
  while (words.length < Number(head[1])) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 16))
    const begin = at + (size?.[0].length ?? 0)
    const end = begin + Number(size?.[1])
    if (!size || text.length < end + 2) return undefined
    words.push(text.slice(begin, end))
    at = end + 2
  }
  return { words, length: at }
}
