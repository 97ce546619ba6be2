/** Redis from the Debian or Ubuntu archive without root: apt with private folders, dpkg-deb to unpack, signatures checked by apt. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Leaves an executable `<dir>/redis-server`. Atomic: `dir` appears complete or not at all; whatever was there is replaced.
 * @throws Error with apt's last words
 */
export function fetchDebianRedis(dir, say) {
  mkdirSync(dirname(dir), { recursive: true })
  const work = mkdtempSync(`${dir}.`)
  try {
    for (const folder of ['lists/partial', 'cache/archives/partial', 'debs', 'server'])
      mkdirSync(join(work, folder), { recursive: true })
    const options = [
      `Dir::State::Lists=${join(work, 'lists')}`,
      `Dir::Cache=${join(work, 'cache')}`,
      'APT::Sandbox::User=root', // as root apt would become _apt, who may not write here
      'Acquire::Languages=none',
      'Acquire::Retries=2',
    ].flatMap((option) => ['-o', option])
    const aptGet = (...args) => run('apt-get', ['-q', ...options, ...args], join(work, 'debs'))

    say('  apt-get update, into a private folder')
    let updateError
    try {
      aptGet('update')
    } catch (error) {
      updateError = error // one broken third-party source fails the whole command, though Debian's own lists are there
    }
    let packages
    try {
      packages = missingPackages(aptGet('install', '--simulate', '--no-install-recommends', 'redis-tools'))
    } catch (error) {
      throw updateError ?? error
    }
    say(`  apt-get download ${packages.join(' ')}`)
    aptGet('download', ...packages)

    const server = join(work, 'server')
    for (const deb of readdirSync(join(work, 'debs'))) run('dpkg-deb', ['-x', join(work, 'debs', deb), server], work)
    // redis-tools ships the server's own executable under the name of its checker: it acts by the name it is called
    symlinkSync('redis-check-rdb', join(server, 'usr/bin/redis-server'))
    writeWrapper(server)
    rmSync(dir, { recursive: true, force: true })
    renameSync(server, dir)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What apt would install for redis-tools on this system: itself and the libraries that are not there yet. */
export function missingPackages(simulation) {
  const names = [...simulation.matchAll(/^Inst (\S+)/gm)].map((match) => match[1])
  return [...new Set(['redis-tools', ...names])]
}

function writeWrapper(server) {
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => multiarchFolders(server, folder))
  const wrapper = join(server, 'redis-server')
  writeFileSync(
    wrapper,
    [
      '#!/bin/sh',
      'here=$(cd "$(dirname "$0")" && pwd)',
      `export LD_LIBRARY_PATH="${libraries.map((folder) => `$here/${folder}`).join(':')}"`,
      'exec "$here/usr/bin/redis-server" "$@"',
      '',
    ].join('\n'),
  )
  chmodSync(wrapper, 0o755)
}

function multiarchFolders(server, folder) {
  try {
    return readdirSync(join(server, folder))
      .filter((name) => /-linux-/.test(name))
      .map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    })
  } catch (error) {
    const words = String(error.stderr || error.message)
      .trim()
      .split('\n')
    throw new Error(`${basename(command)}: ${words.slice(-2).join(' ')}`)
  }
}
