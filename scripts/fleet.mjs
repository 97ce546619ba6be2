/** The running fleet: its supervised processes, what is written down about them, and the order in which they stop. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { graceMs, writeAtomically } from './fleet-lock.mjs'
import { defaultBackoff, supervise } from './supervisor.mjs'

/** what the others lean on stops after them, in this order */
const lastToStop = [(name) => name === 'sandbox', isRedis]

/** A process of Redis, not of the fleet: several when they replicate each other. */
export function isRedis(name) {
  return /^redis(-|$)/.test(name)
}

/**
 * @param {{
 *   dataDir: string,
 *   lock: Awaited<ReturnType<typeof import('./fleet-lock.mjs').lockFleet>>,
 *   log: ReturnType<typeof import('./process-log.mjs').createProcessLog>,
 *   say: (text: string) => void,
 * }} deps
 */
export function createFleet({ dataDir, lock, log, say }) {
  const path = join(dataDir, 'fleet.json')
  const members = new Map()
  let facts
  let stopping = false
  rmSync(path, { force: true })

  function writeDown() {
    if (stopping) return
    const running = [...members]
      .map(([name, { process, marker }]) => ({ name, pid: process?.pid, marker }))
      .filter(({ pid }) => pid !== undefined)
    lock.update(running)
    if (facts) writeAtomically(path, { ...facts, processes: running.map(({ name, pid }) => ({ name, pid })) })
  }

  return {
    /**
     * @param {object} member
     * @param {string} member.name
     * @param {() => import('./supervisor.mjs').Command} member.command
     * @param {string} member.marker what its command line surely contains
     * @param {number} [member.niceness] of its priority, 0 … 19; 0 when absent
     * @param {boolean} [member.ipc] it says when it is ready
     * @param {(restarted: boolean, child: import('node:child_process').ChildProcess) => void} [member.onStart]
     * @param {(reason: string) => void} [member.onEnd]
     */
    run({ name, command, marker, niceness, ipc, onStart, onEnd }) {
      const member = { marker, process: undefined }
      let starts = 0
      members.set(name, member)
      member.process = supervise({
        command,
        niceness,
        ipc,
        backoff: defaultBackoff,
        onStart(child) {
          log.attach(name, child)
          queueMicrotask(writeDown)
          onStart?.(starts++ > 0, child)
        },
        onEnd({ reason, restartInMs }) {
          const when = restartInMs === 0 ? 'at once' : `in ${restartInMs / 1000} s`
          say(`${name} ${reason}; starting it again ${when} (${log.pathOf(name)})`)
          writeDown()
          onEnd?.(reason)
        },
      })
      return member.process
    },

    /** On purpose, because its settings have changed. */
    restart: (name) => members.get(name)?.process?.restart(graceMs),
    /** For good: there are too many of its kind. It hands back what it has claimed, and stands written down until it has ended. */
    async remove(name) {
      await members.get(name)?.process?.stop(graceMs)
      members.delete(name)
      writeDown()
    },
    pidOf: (name) => members.get(name)?.process?.pid,
    names: () => [...members.keys()],

    /** Tells the world: everything is up. Kept true from now on, whatever is restarted. */
    publish(known) {
      facts = known
      writeDown()
    },

    async stop() {
      stopping = true
      rmSync(path, { force: true })
      const stop = (names) => Promise.all(names.map((name) => members.get(name)?.process?.stop(graceMs)))
      const names = [...members.keys()]
      await stop(names.filter((name) => !lastToStop.some((isOne) => isOne(name))))
      for (const isOne of lastToStop) await stop(names.filter(isOne))
    },

    /** Everything at once, for a second Ctrl-C and for a crash of our own. */
    kill() {
      stopping = true
      rmSync(path, { force: true })
      for (const { process } of members.values()) process?.end()
    },
  }
}
