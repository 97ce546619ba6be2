/**
 * When the service stops, a connection ends with the answer to what was asked on it, and one on which nothing is asked ends at once. Node
 * itself would wait for ever for those on which nothing has been asked yet: browsers and HTTP libraries open them ahead.
 */
import type { Socket } from 'node:net'
import type { App } from './fastify-app.ts'

export function endConnections(app: App, stopping: AbortSignal): void {
  /** calls to be answered, by connection */
  const open = new Map<Socket, number>()
  app.server.on('connection', (socket: Socket) => {
    if (stopping.aborted) return void socket.destroy()
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const calls = open.get(socket)
      if (calls !== undefined) open.set(socket, calls - 1)
    })
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (stopping.aborted) raw.socket.destroySoon()
    done()
  })
  stopping.addEventListener('abort', () => {
    for (const [socket, calls] of open) if (calls === 0) socket.destroy()
  })
}
