/** What a process has used, as `ps` tells it on any Unix. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Usage {
  /** processor time since its start; whole seconds on Linux */
  readonly cpuMs: number
  readonly rssBytes: number
}

export async function usageOf(pid: number): Promise<Usage> {
  const { stdout } = await run('ps', ['-o', 'time=,rss=', '-p', String(pid)])
  const [time, rss] = stdout.trim().split(/\s+/) as [string, string]
  return { cpuMs: parseTime(time), rssBytes: Number(rss) * 1024 }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
function parseTime(time: string): number {
  const [days, clock] = time.includes('-') ? (time.split('-') as [string, string]) : ['0', time]
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}
