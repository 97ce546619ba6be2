/** docs/afternoon.md as it stands there: its lines in a shell, against a whole fleet, to a call that the example has verified. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.mjs'
import { type Fleet, startFleet } from './fleet.ts'

const root = join(import.meta.dirname, '../..')
/** where the page has the example listen */
const port = '3000'

interface Told {
  readonly delivered?: boolean
  readonly settled?: boolean
  readonly history?: { readonly key: string }
  readonly resource_id?: string
  readonly sequence?: number
  readonly diff?: { readonly state?: { readonly '+++': string } }
}
/** What stands on lines that have ended. */
const toldIn = (out: string): Told[] =>
  out
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const isSettled = ({ resource_id, diff }: Told) => resource_id !== undefined && diff?.state?.['+++'] === 'settled'

describe("an engineer's afternoon", () => {
  let fleet: Fleet
  let dir: string
  let running: ChildProcess | undefined
  before(async () => {
    fleet = await startFleet({ couriers: { http: 1, vk: 1 }, notifiers: 1 })
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-afternoon-'))
    mkdirSync(join(dir, '.data'))
    const { apiUrl, apiKey } = fleet
    writeFileSync(join(dir, '.data/fleet.json'), JSON.stringify({ apiUrl, apiKey }))
    symlinkSync(join(root, 'examples'), join(dir, 'examples'))
  })
  after(async () => {
    if (running?.exitCode === null) running.kill()
    await fleet.stop()
    rmSync(dir, { recursive: true })
  })

  it('ends with changes that were received and verified, in their order', async () => {
    const page = readFileSync(join(root, 'docs/afternoon.md'), 'utf8')
    const own = String(await freePort())
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) =>
      lines?.replaceAll(`:${port}/`, `:${own}/`),
    )
    expect(blocks).to.have.length(5)
    // the receiver prints on a descriptor of its own: two programs that print on one break into each other's lines
    const shell = spawn('bash', ['-eu'], {
      cwd: dir,
      env: { ...process.env, PORT: own },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    running = shell
    // with all that it has said
    const closed = once(shell, 'close')
    const errors = text(shell.stderr)
    let [out, received] = ['', '']
    shell.stdout.setEncoding('utf8').on('data', (more) => {
      out += more
    })
    ;(shell.stdio[3] as Readable).setEncoding('utf8').on('data', (more) => {
      received += more
    })
    // each answer on a line of its own; nothing is left behind where a line fails
    shell.stdin.write(
      `trap 'kill "\${RECEIVER-}" 2>/dev/null || true' EXIT\ncurl() { command curl "$@" || return; echo; }\nnode() { [[ $1 != examples/* ]] || exec node "$@" >&3; command node "$@"; }\n${blocks.slice(0, -1).join('\n')}`,
    )
    await until(
      () => shell.exitCode !== null || toldIn(received).some(isSettled),
      'it is received that the message is over',
    )
    shell.stdin.end(blocks.at(-1))
    await closed
    expect({ code: shell.exitCode, err: await errors }, out).to.deep.equal({ code: 0, err: '' })

    const told = [...toldIn(out), ...toldIn(received)]
    const tried = told.find(({ delivered }) => delivered !== undefined)
    expect(tried).to.include({ delivered: true, status: 204 })
    const { history } = told.find(({ settled }) => settled) ?? {}
    const changes = told.filter(({ resource_id }) => resource_id === history?.key)
    expect(changes.some(isSettled)).to.equal(true)
    expect(changes.map(({ sequence }) => sequence)).to.deep.equal(changes.map((_each, at) => at + 1))
    expect(changes[0]).to.include({ type: 'history.changed', missed: false })
  })
})
