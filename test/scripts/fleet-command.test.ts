/** The built command line as a process of its own: what stands on stdout, on stderr, and the exit code. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startFleet } from '../../packages/client/test/fleet.ts'
import { commands } from '../../packages/command-line/src/fleet.ts'

const root = join(import.meta.dirname, '../..')
const binary = join(root, 'packages/command-line/bin/fleet.mjs')

describe('fleet, the command', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  async function run(script: string, ...args: string[]) {
    const env = { ...process.env, FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.trainer }
    const child = spawn(process.execPath, [script, ...args], { cwd: root, env })
    const text = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text.out += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text.err += chunk
    })
    const [code] = await once(child, 'close')
    return { code, ...text }
  }

  it('ends with 0 when everyone got it, and says nothing but JSON on stdout', async () => {
    const { code, out, err } = await run(binary, 'send', '--to', 'user:anna', '--text', 'Hello', '--json')
    expect(JSON.parse(out)).to.include({ settled: true, ending: 'handed-over' })
    expect([code, err]).to.deep.equal([0, ''])
  })

  it('ends with 1 when somebody did not, its progress on stderr', async () => {
    const { code, out, err } = await run(binary, 'send', '--to', 'group:own', '--text', 'Hello')
    expect(out)
      .to.match(/^Accepted /)
      .and.contain('Not delivered:')
    expect(err).to.contain('settled').and.not.contain('\x1b')
    expect(code).to.equal(1)
  })

  it('ends with 2, nothing on stdout and one line on stderr when it could not be done', async () => {
    for (const args of [['watch', 'nonsense'], ['people', '--limt', '3'], ['sned']]) {
      const { code, out, err } = await run(binary, ...args)
      expect([code, out]).to.deep.equal([2, ''])
      expect(err.trimEnd().split('\n')).to.have.length(1)
    }
  })

  it('answers every question as JSON that can be read', async () => {
    for (const args of [['list'], ['groups'], ['channels'], ['limits'], ['people']]) {
      const { out, err } = await run(binary, ...args, '--json')
      expect(out, err).to.match(/^\{/)
      expect(JSON.parse(out)).to.be.an('object')
    }
  })

  it('is the same as the npm scripts', async () => {
    const { code, out } = await run(join(root, 'scripts/send.mjs'), '--to', 'user:anna', '--text', 'Hello')
    expect(out).to.contain('Of 1 person: 1 sent to the chat.')
    expect(code).to.equal(0)
    expect((await run(join(root, 'scripts/recount.mjs'), 'nonsense')).code).to.equal(2)
  })

  for (const shell of ['bash', 'zsh', 'fish'])
    it(`writes a completion script for ${shell} whose quoting is sound`, async () => {
      const { out } = await run(binary, 'completion', shell)
      for (const { name } of commands) expect(out).to.contain(name)
      expect(spawnSync('bash', ['-n'], { input: out, encoding: 'utf8' }).stderr).to.equal('')
    })

  it('completes commands, options and their values in bash', async () => {
    const { out: script } = await run(binary, 'completion', 'bash')
    const complete = (...words: string[]) => {
      const line = `COMP_WORDS=(fleet ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
      const input = `${script}\n${line}\n_fleet\necho "\${COMPREPLY[*]}"`
      return spawnSync('bash', ['--norc'], { input, encoding: 'utf8' }).stdout.trim().split(' ')
    }
    expect(complete('re')).to.have.members([
      'receipts',
      'resolve',
      'resend',
      'retry',
      'reschedule',
      'rehearse',
      'recount',
      'rebuild',
      'release',
      'restore',
    ])
    expect(complete('send', '--t')).to.have.members(['--to', '--text', '--texts', '--template', '--type'])
    expect(complete('keys', 'cr')).to.deep.equal(['create'])
    expect(complete('send', '--class', 'ur')).to.deep.equal(['urgent'])
  })

  it('is documented command by command, with its exit codes', () => {
    const doc = readFileSync(join(root, 'docs/command-line.md'), 'utf8')
    for (const { name, exits } of commands) {
      expect(doc).to.contain(`| \`${name}\` | ${exits[0]} | ${exits[1] ?? '–'} |`)
      for (const code of [3, 4] as const) if (exits[code]) expect(doc).to.contain(`| ${code} | ${exits[code]} |`)
    }
  })
})
