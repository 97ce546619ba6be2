/** Processes of the build with the probe in them: what each takes. */
import { createProcesses, type Processes } from '@courier-fleet/launch'
import { type Call, createCalls } from '../calls.ts'

/** given to node before the program */
export const probeArguments = ['--import', new URL('./probe.mjs', import.meta.url).href]

/** What a process took between watch() and report(). */
export interface Report {
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** highest */
  readonly rssBytes: number
  readonly cpuMs: number
  readonly elapsedMs: number
  /** when profiled: time on the CPU by where the code comes from, most first */
  readonly origins?: readonly { readonly origin: string; readonly ms: number }[]
  /** when profiled: the functions it was in most */
  readonly functions?: readonly { readonly name: string; readonly ms: number }[]
}

export interface Probes {
  /** Begins to watch every process. */
  watch(options?: { profile?: boolean }): Promise<void>
  /** by name */
  report(): Promise<ReadonlyMap<string, Report>>
}

/** Processes that can be asked, and the asking. */
export function createProbedProcesses(): { processes: Processes; probes: Probes } {
  const processes = createProcesses({ ipc: true })
  const calls = new WeakMap<object, Call>()

  function callOf(name: string): Call {
    const { child } = processes.member(name)
    const known = calls.get(child) ?? createCalls(child)
    calls.set(child, known)
    return known
  }
  return {
    processes,
    probes: {
      async watch({ profile = false } = {}) {
        await Promise.all(processes.names.map((name) => callOf(name)('watch', { profile })))
      },
      async report() {
        const found = processes.names.map(async (name) => [name, await callOf(name)<Report>('report')] as const)
        return new Map(await Promise.all(found))
      },
    },
  }
}
