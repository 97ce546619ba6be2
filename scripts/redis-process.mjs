/** Starts a Redis: how it is called, and until it answers. */
import { mkdirSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { supervise } from './supervisor.mjs'

const graceMs = 10_000
const keptOutput = 500

/** @typedef {Readonly<Record<string, string | number | readonly string[] | readonly (readonly string[])[]>>} Settings */

/**
 * Loopback only, expiry events on, nothing ever evicted, no snapshots; `settings` are more, or others, as in redis.conf: a
 * list for several values, a list of lists for several lines.
 * @param {{ dir: string, port: number, settings?: Settings }} options
 * @returns {string[][]} a line each: a name and its values
 */
export function redisSettings({ dir, port, settings = {} }) {
  const all = {
    bind: '127.0.0.1',
    port,
    dir,
    save: '',
    'notify-keyspace-events': 'Ex',
    'maxmemory-policy': 'noeviction',
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) =>
    (Array.isArray(value?.[0]) ? value : [value]).map((values) => [name, ...[values].flat().map(String)]),
  )
}

/** @param {{ server: string, dir: string, port: number, settings?: Settings }} options */
export function redisCommand({ server, ...options }) {
  return { file: server, args: redisSettings(options).flatMap(([name, ...values]) => [`--${name}`, ...values]) }
}

/**
 * Starts a Redis on a free port of loopback. Resolves when it answers.
 * @param {{ server: string, dir: string, settings?: Settings }} options dir: for its data
 * @throws Error with its last words when it ends instead
 */
export function startRedis({ server, dir, settings }) {
  return onFreePort(dir, (port) => redisCommand({ server, dir, port, settings }))
}

/**
 * Starts what listens as a Redis does, on a port nobody has. Resolves when it answers.
 * @param {string} dir made for its data
 * @param {(port: number) => import('./supervisor.mjs').Command | Promise<import('./supervisor.mjs').Command>} commandOf
 *   asked again where somebody was quicker to take the port
 */
export async function onFreePort(dir, commandOf) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const redis = runRedisServer(port, await commandOf(port))
    try {
      await redis.ready()
      return redis
    } catch (error) {
      // between choosing a free port and binding it somebody else may have taken it
      if (attempt === 5 || !/already in use/.test(error.message)) throw error
    }
  }
}

function runRedisServer(port, command) {
  let output = ''
  let ended
  const process = supervise({
    command: () => command,
    onStart(child) {
      ended = undefined
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output = `${output}${chunk}`.slice(-keptOutput)
        })
    },
    onEnd({ reason }) {
      ended = new Error(`Redis ${reason}: ${output.trim().split('\n').slice(-3).join(' | ')}`)
    },
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    process,
    /** Resolves when it has loaded its data and answers. @throws Error when it ends by itself instead */
    ready: () => untilPong(port, () => ended),
    stop: () => process.stop(graceMs),
  }
}

/**
 * Resolves at the first PONG, however long the data take to load.
 * @param {number} port
 * @param {() => Error | undefined} hasEnded why no answer will come; thrown
 */
export async function untilPong(port, hasEnded) {
  while ((await ping(port)) !== '+PONG') {
    const error = hasEnded()
    if (error) throw error
    await sleep(20)
  }
}

/** @returns {Promise<string>} the first line of the answer to PING; empty when there is none */
function ping(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'))
    socket.setTimeout(2000, () => socket.destroy())
    socket.once('data', (data) => {
      resolve(data.toString().trim())
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(''))
  })
}
