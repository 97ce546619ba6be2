/** Runs a built command against the fleet of this checkout. */
import { existsSync } from 'node:fs'
import { fleetFile } from './data-dir.mjs'

const built = (name) => new URL(`../dist/programs/${name}.js`, import.meta.url)

/** @param {'fleetCommand' | 'sendCommand' | 'importCommand' | 'recountCommand'} name */
export async function runCommand(name) {
  if (!existsSync(built('command-line'))) {
    console.error('The command line is not built yet: run "npm start" (or "npm run build") first.')
    process.exitCode = 2
    return
  }
  const commands = await import(built('command-line').href)
  process.exitCode = await commands[name](process.argv.slice(2), {
    out: (text) => console.log(text),
    screen: process.stdout.isTTY ? process.stdout : undefined,
    get input() {
      return process.stdin // opened when it is read
    },
    err: process.stderr,
    env: process.env,
    fleetFile,
    backups,
  })
}

async function backups() {
  const { takeBackup, restoreBackup } = await import(built('scripts').href)
  return { take: takeBackup, restore: restoreBackup }
}
