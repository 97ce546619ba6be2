/**
 * Where the fleet's Redis comes from when nobody names one: the PATH, else (Debian, Ubuntu) the distribution's own package
 * unpacked into the data folder, without root. `REDIS_URL` is the caller's business.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { isExecutable, onPath } from './on-path.mjs'
import { fetchDebianRedis } from './redis-debian.mjs'

const oldestMajor = { redis: 7, valkey: 8 }

/**
 * @param {{ say: (text: string) => void, dataDir: string }} options
 * @returns {string} path of a redis-server (or valkey-server) executable that is new enough
 * @throws Error that names the command to run when there is none and none can be fetched
 */
export function findRedisServer({ say, dataDir }) {
  for (const path of onPath(['redis-server', 'valkey-server'], process.env.PATH)) {
    const version = versionOf(path)
    if (version?.usable) {
      say(`Redis: ${path} (${version.text})`)
      return path
    }
    say(`Redis: ${path} is ${version ? `${version.text}, too old` : 'not working'}; looking further`)
  }
  const dir = join(dataDir, 'redis-server')
  const path = join(dir, 'redis-server')
  const kept = versionOf(path)
  if (kept?.usable) {
    say(`Redis: the one fetched earlier (${kept.text})`)
    return path
  }
  let why = 'no redis-server or valkey-server on the PATH'
  if (isExecutable('/usr/bin/apt-get') && isExecutable('/usr/bin/dpkg-deb')) {
    try {
      say('Redis: none on this machine; fetching the Debian package, no root needed')
      fetchDebianRedis(dir, say)
      const fetched = versionOf(path)
      if (fetched?.usable) {
        say(`Redis: fetched ${fetched.text}`)
        return path
      }
      why = fetched ? `this system's package is ${fetched.text}` : 'the fetched package does not run here'
    } catch (error) {
      why = `fetching the package failed: ${error.message}`
    }
  }
  throw new Error(
    `No Redis ≥ ${oldestMajor.redis} or Valkey ≥ ${oldestMajor.valkey}: ${why}.\n` +
      `  Install one:   ${installCommand()}\n` +
      '  or run one:    docker compose up -d redis, then put REDIS_URL=redis://127.0.0.1:6379 before the command',
  )
}

/**
 * Starts a Redis on a free port of loopback and waits until it answers. Its log is `redis.log` in `dir`.
 * @param {{ server: string, dir: string, appendonly?: boolean, databases?: number }} options
 */
export async function startRedis({ server, dir, appendonly = false, databases = 16 }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const log = openSync(join(dir, 'redis.log'), 'w')
    const child = spawn(server, redisArguments({ dir, port, appendonly, databases }), { stdio: ['ignore', log, log] })
    closeSync(log)
    try {
      await firstPong(port, child, join(dir, 'redis.log'))
      return { url: `redis://127.0.0.1:${port}`, pid: child.pid, child, stop: () => stopRedis(child) }
    } catch (error) {
      // between choosing a free port and binding it somebody else may have taken it
      if (attempt === 5 || !/already in use/.test(error.message)) throw error
    }
  }
}

/** Its arguments: loopback only, expiry events on, nothing ever evicted. */
export function redisArguments({ dir, port, appendonly, databases = 16 }) {
  const args = ['--bind', '127.0.0.1', '--port', port, '--dir', dir, '--databases', databases, '--save', '']
  args.push('--appendonly', appendonly ? 'yes' : 'no', '--notify-keyspace-events', 'Ex')
  args.push('--maxmemory-policy', 'noeviction')
  return args.map(String)
}

/** Resolves at the first PONG, however long the data take to load; rejects with its last words when it ends before. */
async function firstPong(port, child, logFile) {
  const ended = new Promise((_, reject) => {
    const fail = (what) => reject(new Error(`Redis ${what}: ${lastLines(logFile)}`))
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    child.once('exit', (code, signal) => fail(`ended with ${signal ?? `code ${code}`}`))
  })
  ended.catch(() => {})
  for (;;) {
    if ((await Promise.race([ended, ping(port)])) === '+PONG') return
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
  }
}

/** @returns {Promise<string>} the first line of the answer to PING; empty when there is none */
export function ping(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host }, () => socket.write('PING\r\n'))
    socket.setTimeout(2000, () => socket.destroy())
    socket.once('data', (data) => {
      resolve(data.toString().trim())
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(''))
  })
}

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

function stopRedis(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.once('exit', () => {
      clearTimeout(kill)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

/** "Redis server v=7.0.15 sha=…", "Valkey server v=8.1.1 sha=…" */
export function parseVersion(line) {
  const match = /^(redis|valkey)\s+server\s+v=(\d+)(\.\S+)/i.exec(line)
  if (!match) return undefined
  const name = match[1].toLowerCase()
  return { text: `${match[1]} ${match[2]}${match[3]}`, usable: Number(match[2]) >= oldestMajor[name] }
}

function versionOf(path) {
  if (!isExecutable(path)) return undefined
  try {
    return parseVersion(execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

function installCommand() {
  if (process.platform === 'darwin') return 'brew install redis'
  if (process.platform === 'win32') return 'wsl --install, and inside it: sudo apt-get install redis-server'
  const system = osRelease()
  if (/debian|ubuntu/.test(system)) return 'sudo apt-get install redis-server'
  if (/fedora|rhel|centos/.test(system)) return 'sudo dnf install valkey'
  if (/alpine/.test(system)) return 'apk add redis'
  if (/arch/.test(system)) return 'sudo pacman -S valkey'
  if (/suse/.test(system)) return 'sudo zypper install valkey'
  return 'see https://redis.io/docs/latest/operate/oss_and_stack/install/'
}

function osRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8')
      .split('\n')
      .filter((line) => /^ID(_LIKE)?=/.test(line))
      .join(' ')
  } catch {
    return ''
  }
}

function lastLines(path) {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join(' | ')
  } catch {
    return 'no log'
  }
}
