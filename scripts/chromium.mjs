/** The browser of the browser tests and screenshots: the one of this machine, else (as root on Debian, Ubuntu) installed. */
import { execFileSync } from 'node:child_process'
import { isExecutable, onPath } from './on-path.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const packages = ['chromium', 'fonts-dejavu-core']
const installMs = 300_000

/**
 * @param {(text: string) => void} say
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} its path; undefined, after having said why, when there is none
 */
export function findChromium(say, env = process.env) {
  const known = env.CHROMIUM || onPath(names, env.PATH)[0]
  if (known) return known
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) {
    say(`Chromium: none on this machine; install it (apt-get install ${packages.join(' ')}) or name it with CHROMIUM`)
    return undefined
  }
  try {
    say('Chromium: none on this machine; installing the Debian package')
    const aptGet = (...args) => execFileSync('apt-get', ['-qq', ...args], { timeout: installMs, stdio: 'pipe' })
    try {
      aptGet('update')
    } catch {
      // one broken third-party source fails the whole command, though Debian's own lists are there
    }
    aptGet('install', '--yes', '--no-install-recommends', ...packages)
  } catch (error) {
    const words = String(error.stderr ?? '').trim() || error.message
    say(`Chromium: could not be installed: ${words.split('\n').slice(-3).join(' ')}`)
  }
  return onPath(names, env.PATH)[0]
}
