import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below what systems hand out by themselves: neither a client nor a listener on port 0 takes one of these in between. Of them each lane
 * of `npm test` has a part: whoever draws a port listens on it a while later, and nobody else is to draw it meanwhile.
 * @throws Error when TEST_PORTS is no range
 */
export function ownPorts() {
  const text = process.env.TEST_PORTS ?? '20000-32768'
  const [from, until] = text.split('-').map(Number)
  if (!(from > 0 && from < until && until <= 65_536))
    throw new Error(`TEST_PORTS is ${text}; it has to be a range of ports, such as 20000-26384`)
  return { from, until }
}

let drawn
/** asked for by number, and free: whoever asked listens there a while later */
const promised = new Set()

/** @returns {number} one that nobody was promised, and that does not come again before all others */
function draw() {
  const { from, until } = ownPorts()
  do {
    if (drawn === undefined) drawn = randomInt(from, until)
    else drawn = drawn + 1 < until ? drawn + 1 : from
  } while (promised.has(drawn))
  return drawn
}

/**
 * @param {number} [wanted]
 * @returns {Promise<number>} a port of 127.0.0.1 nobody listens on; `wanted` when that is free
 */
export async function freePort(wanted) {
  const port = wanted ?? draw()
  if (!(await isFree(port))) return freePort()
  if (wanted !== undefined) promised.add(wanted)
  return port
}

/** @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** @returns {Promise<number[]>} as many different ones */
export const freePorts = (count) => Promise.all(Array.from({ length: count }, () => freePort()))
