/**
 * Where the fleet's Redis comes from when nobody names one: the PATH, else (Debian, Ubuntu) the distribution's own package
 * unpacked into the data folder, without root. `REDIS_URL` is the caller's business.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
      '  or run one:    docker run --rm -p 127.0.0.1:6379:6379 redis:7.4-alpine --appendonly yes, then put REDIS_URL=redis://127.0.0.1:6379 before the command',
  )
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
