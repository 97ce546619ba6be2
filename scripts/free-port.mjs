import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below what systems hand out by themselves: neither a client nor a listener on port 0 takes one of these in between. */
const ownPorts = { from: 20_000, until: 32_768 }

/** @returns {Promise<number>} a port of 127.0.0.1 nobody listens on; `wanted` when that is free */
export function freePort(wanted = randomInt(ownPorts.from, ownPorts.until)) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error)))
    probe.listen(wanted, '127.0.0.1', () => probe.close(() => resolve(wanted)))
  })
}

/** @returns {Promise<number[]>} as many different ones */
export async function freePorts(count) {
  const ports = new Set()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
