import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGuardedClient, guardedSettings, newSecret, signedHeaders } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { sandboxCalls } from '../../scripts/call-settings.mjs'
import { onPath } from '../../scripts/on-path.mjs'

const root = join(import.meta.dirname, '../..')

interface Call {
  readonly headers: Record<string, string>
  readonly body: string
  readonly secret: string
}

interface Language {
  readonly name: string
  /** of the block in the page */
  readonly fence: string
  /** what runs it may be called, best first */
  readonly programs: readonly string[]
  readonly file: string
  /** A program around the lines of the page: takes calls as JSON, and says of each whether it is from the fleet. */
  readonly around: (lines: string) => string
}

const languages: readonly Language[] = [
  {
    name: 'Node',
    fence: 'js',
    programs: ['node'],
    file: 'receiving.mjs',
    around: (lines) => `import { readFileSync } from 'node:fs'
${lines}
const calls = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(calls.map(({ headers, body, secret }) => isFromTheFleet(headers, body, secret))))`,
  },
  {
    name: 'Python',
    fence: 'python',
    programs: ['python3', 'python'],
    file: 'receiving.py',
    around: (lines) => `import json, sys
${lines}
calls = json.loads(sys.stdin.buffer.read())
print(json.dumps([is_from_the_fleet(each["headers"], each["body"].encode(), each["secret"]) for each in calls]))`,
  },
  {
    name: 'PHP',
    fence: 'php',
    programs: ['php', 'php8.2'],
    file: 'receiving.php',
    around: (lines) => `<?php
${lines}
$calls = json_decode(stream_get_contents(STDIN), true);
echo json_encode(array_map(fn($each) => is_from_the_fleet($each['headers'], $each['body'], $each['secret']), $calls));`,
  },
]

const [secret, other] = [newSecret(), newSecret()]
const body = '{"text":"Пара перенесена"}'
const signed = (atMs = Date.now(), secrets = [secret]) => ({ ...signedHeaders({ id: 'a1', secrets, atMs, body }) })

/** Each with whether it is from the fleet. */
const calls = (): [why: string, call: Call, isFromTheFleet: boolean][] => [
  ['as the fleet makes it', { headers: signed(), body, secret }, true],
  ['while its secret is rotated', { headers: signed(Date.now(), [other, secret]), body, secret }, true],
  ['with another body', { headers: signed(), body: `${body} `, secret }, false],
  ['signed by another secret', { headers: signed(), body, secret: other }, false],
  ['with another id', { headers: { ...signed(), 'webhook-id': 'a2' }, body, secret }, false],
  ['more than five minutes old', { headers: signed(Date.now() - 302_000), body, secret }, false],
  // an hour: whoever looks at it is busy with other things, and may do so late
  ['from the future', { headers: signed(Date.now() + 3_600_000), body, secret }, false],
  ['at no time', { headers: { ...signed(), 'webhook-timestamp': 'now' }, body, secret }, false],
  ['with a signature of nothing', { headers: { ...signed(), 'webhook-signature': 'v1,' }, body, secret }, false],
  ['without headers', { headers: {}, body, secret }, false],
]

describe('docs/receiving.md', () => {
  const page = readFileSync(join(root, 'docs/receiving.md'), 'utf8')
  const linesOf = ({ fence }: Language) =>
    new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]?.trim() ?? ''

  it('has ten lines for each language it names', () => {
    for (const language of languages) expect(linesOf(language).split('\n'), language.name).to.have.length.within(5, 11)
  })

  // Node is what runs this; the others where this machine has them
  for (const language of languages) {
    const program = language.name === 'Node' ? process.execPath : onPath(language.programs, process.env.PATH)[0]
    if (program === undefined) continue
    it(`in ${language.name} believes the fleet and nobody else`, () => {
      const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-receiving-'))
      try {
        const file = join(dir, language.file)
        writeFileSync(file, language.around(linesOf(language)))
        const asked = calls()
        const input = JSON.stringify(asked.map(([, call]) => call))
        const { status, stdout, stderr } = spawnSync(program, [file], { input, encoding: 'utf8' })
        expect({ status, stderr }, stdout).to.deep.equal({ status: 0, stderr: '' })
        const answers = JSON.parse(stdout) as boolean[]
        expect(asked.map(([why], at) => [why, answers[at]])).to.deep.equal(asked.map(([why, , is]) => [why, is]))
      } finally {
        rmSync(dir, { recursive: true })
      }
    })
  }
})

describe('examples/receiver.mjs', () => {
  const client = createGuardedClient(guardedSettings(sandboxCalls))
  let receiver: ChildProcess
  let lines: AsyncIterator<string>
  let url: string
  const nextLine = async () => (await lines.next()).value as string

  before(async () => {
    receiver = spawn(process.execPath, ['examples/receiver.mjs'], {
      cwd: root,
      env: { PATH: process.env.PATH, PORT: '0', WEBHOOK_SECRET: `${secret},${newSecret()}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    lines = createInterface({ input: receiver.stdout as Readable })[Symbol.asyncIterator]()
    url = `http://127.0.0.1:${/\d+$/.exec(await nextLine())?.[0]}/hook`
  })
  after(async () => {
    await client.close()
    receiver.kill('SIGTERM')
    const [code] = await once(receiver, 'exit')
    expect(code, 'it ends by itself').to.equal(0)
  })

  const call = (data: Record<string, unknown>, id: string, by = secret) => {
    const body = JSON.stringify(data)
    const headers = signedHeaders({ id, secrets: [by], atMs: Date.now(), body })
    return client.post(url, { headers, body })
  }

  it('goes on when a caller hangs up in the middle of a body', async () => {
    const caller = connect(Number(new URL(url).port), '127.0.0.1')
    await once(caller, 'connect')
    caller.resume().end('POST /hook HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\n{"text":')
    await once(caller, 'close')
    expect(await call({ text: 'Дальше' }, 'a0')).to.deep.include({ kind: 'answer', status: 204 })
    expect(JSON.parse(await nextLine())).to.deep.include({ id: 'a0', text: 'Дальше' })
  })

  it('handles what the fleet calls with once, in order, and nothing else', async () => {
    expect(await call({ text: 'Первое' }, 'a1')).to.deep.include({ kind: 'answer', status: 204 })
    expect(await call({ text: 'Первое' }, 'a1')).to.deep.include({ kind: 'answer', status: 204 })
    expect(await call({ text: 'Чужое' }, 'a2', newSecret())).to.deep.include({ kind: 'answer', status: 401 })
    const change = (sequence: number) => ({ resource: 'person', resource_id: 'anna', sequence })
    for (const sequence of [1, 3, 2]) await call(change(sequence), `c${sequence}`)
    expect(await call({ text: 'Последнее' }, 'a3')).to.deep.include({ kind: 'answer', status: 204 })
    const handled: unknown[] = []
    while (handled.length < 4) handled.push(JSON.parse(await nextLine()))
    expect(handled).to.deep.equal([
      { id: 'a1', missed: false, text: 'Первое' },
      { id: 'c1', missed: false, ...change(1) },
      { id: 'c3', missed: true, ...change(3) },
      { id: 'a3', missed: false, text: 'Последнее' },
    ])
  })
})
