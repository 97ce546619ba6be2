/** Asks the command line, a process of its own as people start it, what has become of a message. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const program = new URL('../../../packages/command-line/bin/fleet.mjs', import.meta.url)

export interface Asked {
  readonly code: number | null
  readonly out: string
  /** why it could not answer, where its code is 2 */
  readonly err: string
}

export type AskCommandLine = (key: string) => Promise<Asked>

/** `fleet watch`, for no longer than it takes to say what is known. */
export function commandLineOf({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): AskCommandLine {
  return async (key) => {
    const child = spawn(process.execPath, [program.pathname, 'watch', key, '--wait', '0.01'], {
      env: { PATH: process.env.PATH, FLEET_API_URL: apiUrl, FLEET_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const [code] = await once(child, 'close')
    return { code, out, err }
  }
}
