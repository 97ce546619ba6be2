/** The fleet of the client's tests, and its file as `npm start` writes it, so that commands find it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { startFleet } from '../../client/test/fleet.ts'
import type { fleetCommand } from '../src/index.ts'

interface Around {
  /** stdout and stderr are one */
  readonly isTerminal?: boolean
  /** where the answer stands, when it is another terminal than that of the progress */
  readonly screen?: NodeJS.WriteStream
  /** what comes in on stdin */
  readonly input?: readonly (string | Buffer)[]
}

export async function startCommandedFleet() {
  const fleet = await startFleet()
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-command-line-'))
  const fleetFile = join(dir, 'fleet.json')
  writeFileSync(fleetFile, JSON.stringify({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.trainer }))

  return {
    ...fleet,
    async run(
      command: typeof fleetCommand,
      args: string[],
      env: NodeJS.ProcessEnv = {},
      { isTerminal = false, screen, input }: Around = {},
    ) {
      const out: string[] = []
      const err = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 200, rows: 50 })
      const lines: string[] = []
      err.on('data', (text: Buffer) => lines.push(text.toString()))
      const code = await command(args, {
        out: (text) => out.push(text),
        err: err as unknown as NodeJS.WriteStream,
        ...(isTerminal ? { screen: err as unknown as NodeJS.WriteStream } : {}),
        ...(screen ? { screen } : {}),
        ...(input ? { input: Readable.from(input) } : {}),
        env,
        fleetFile,
      })
      return { code, out: out.join('\n'), err: lines.join('') }
    },
    async stop() {
      await fleet.stop()
      rmSync(dir, { recursive: true })
    },
  }
}
