/** What the processes write goes to a file each; what is worth reading goes to the terminal too, in short. */
import { once } from 'node:events'
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const keptBytes = 10_000_000
const repeatAfterMs = 10_000
const warn = 40
/** how long outputs of processes that have ended are read; what such a process has left behind may hold them open for long */
const lastReadMs = 1000

/** @param {{ dir: string, print: (text: string) => void }} options */
export function createProcessLog({ dir, print }) {
  mkdirSync(dir, { recursive: true })
  const files = new Map()
  const reading = new Set()
  let isClosed = false
  const shown = new Map()

  function fileOf(name) {
    let file = files.get(name)
    if (!file) {
      const path = join(dir, `${name}.log`)
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (size > keptBytes) renameSync(path, `${path}.1`)
      file = createWriteStream(path, { flags: 'a', mode: 0o600 })
      files.set(name, file)
    }
    return file
  }

  /** the same words of the same process not more than once in ten seconds */
  function show(name, text) {
    const line = `${name}: ${text}`
    const now = Date.now()
    if (now - (shown.get(line) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs) return
    if (shown.size > 1000) shown.clear()
    shown.set(line, now)
    print(line)
  }

  return {
    pathOf: (name) => join(dir, `${name}.log`),
    /** Takes over both outputs of a process just started. */
    attach(name, child) {
      for (const output of [child.stdout, child.stderr]) {
        const lines = createInterface({ input: output })
        const end = once(lines, 'close').then(() => reading.delete(end))
        reading.add(end)
        lines.on('line', (line) => {
          if (isClosed) return
          fileOf(name).write(`${line}\n`)
          const text = output === child.stderr ? worthALook(line) : undefined
          if (text) show(name, text)
        })
      }
    },
    /** Once the processes have ended: what they have written by then may not have been read yet. */
    async close() {
      await Promise.race([Promise.all(reading), sleep(lastReadMs, undefined, { ref: false })])
      isClosed = true
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))))
    },
  }
}

/** the lines of a stack, and what Node says of libraries that use what will go one day */
const notWorth = /^\s*(at .*)?$|^\(node:\d+\).*Deprecation|^\(Use `node --trace/

/** Warnings and errors of a pino log, and nearly everything else that is written to standard error. */
export function worthALook(line) {
  if (!line.startsWith('{')) return notWorth.test(line) ? undefined : line.slice(0, 200)
  try {
    const { level, msg = '', err } = JSON.parse(line)
    if (!(level >= warn)) return undefined
    const cause = err?.message && !msg.includes(err.message) ? ` (${err.message})` : ''
    return `${level > warn ? 'error: ' : ''}${msg}${cause}`.slice(0, 300)
  } catch {
    return line.slice(0, 200)
  }
}
