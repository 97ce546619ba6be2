/**
 * Loaded into a process before it starts: CALLS_DETOUR, `<port> <other port>`, has it connect to the other where it would to the first. A URL
 * is the same for all who call it, and each of them has a line of its own to whoever it leads to.
 */
import { Socket } from 'node:net'

const [port, detour] = (process.env.CALLS_DETOUR ?? '').split(' ').map(Number)

if (port && detour) {
  const { connect } = Socket.prototype
  Socket.prototype.connect = function connectDetoured(...args) {
    // as whoever connects gives them, or as node:net has put them in order
    const options = Array.isArray(args[0]) ? args[0][0] : args[0]
    if (Number(options?.port) === port) options.port = detour
    return Reflect.apply(connect, this, args)
  }
}
