/** A connection to a Redis as another Redis has it: lines, and then a stream of bytes without an end of its own. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Endpoint, RedisAddress } from '@courier-fleet/store'
import { BackupError } from './backup-error.ts'

/** Redis sends a line each second while it prepares the data. */
const silenceMs = 60_000

export type Login = Pick<RedisAddress, 'isEncrypted' | 'user' | 'password'>

export interface Connection {
  readonly socket: Socket
  /** @throws BackupError when Redis refuses, or says nothing */
  ask(...words: readonly string[]): Promise<string>
  send(...words: readonly string[]): void
  /** the next line that is not empty, without its end */
  line(): Promise<string>
  /** what comes from now on */
  bytes(): AsyncGenerator<Buffer>
  close(): void
}

/** Of one place, as the user that is given. @throws BackupError when it cannot be reached or lets nobody in */
export async function openConnection(endpoint: Endpoint, { isEncrypted, user, password }: Login): Promise<Connection> {
  const socket = isEncrypted ? connectTls({ ...endpoint }) : connect({ ...endpoint })
  socket.setTimeout(silenceMs, () => socket.destroy(new Error(`no answer for ${silenceMs / 1000} s`)))
  const connection = createConnection(socket)
  try {
    if (password !== undefined) await connection.ask('AUTH', ...(user === undefined ? [] : [user]), password)
    await connection.ask('PING')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function createConnection(socket: Socket): Connection {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let unread = Buffer.alloc(0)

  async function more(): Promise<Buffer> {
    const { value, done } = await chunks.next().catch((error: Error) => {
      throw new BackupError(`Redis cannot be asked: ${error.message}`)
    })
    if (done) throw new BackupError('Redis has ended the connection; its log says why')
    return value
  }

  const connection: Connection = {
    socket,
    send: (...words) =>
      void socket.write(
        `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
      ),
    async ask(...words) {
      connection.send(...words)
      const answer = await connection.line()
      if (answer.startsWith('-')) throw new BackupError(`Redis refuses ${words[0]}: ${answer.slice(1)}`)
      return answer
    },
    async line() {
      for (;;) {
        const end = unread.indexOf('\n')
        if (end === -1) {
          unread = Buffer.concat([unread, await more()])
          continue
        }
        const line = unread.toString('latin1', 0, end).trim()
        unread = unread.subarray(end + 1)
        if (line !== '') return line
      }
    },
    async *bytes() {
      const first = unread
      unread = Buffer.alloc(0)
      if (first.length > 0) yield first
      for (;;) yield await more()
    },
    close: () => socket.destroy(),
  }
  return connection
}
