import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createGuardedClient, guardedSettings, newSecret, signedHeaders } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { sandboxCalls } from '../../scripts/call-settings.mjs'

const root = join(import.meta.dirname, '../..')

describe('docs/receiving.md', () => {
  it('has ten lines for Node that believe the fleet and nobody else', async () => {
    const page = readFileSync(join(root, 'docs/receiving.md'), 'utf8')
    const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] as string
    expect(code.trim().split('\n')).to.have.length.below(12)
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-receiving-'))
    const file = join(dir, 'receiving.mjs')
    writeFileSync(file, code)
    const { isFromTheFleet } = (await import(pathToFileURL(file).href)) as {
      isFromTheFleet: (headers: Record<string, string>, body: string, secret: string) => boolean
    }
    rmSync(dir, { recursive: true })

    const [secret, other] = [newSecret(), newSecret()]
    const body = '{"text":"Пара перенесена"}'
    const signed = (atMs = Date.now(), secrets = [secret]) => ({ ...signedHeaders({ id: 'a1', secrets, atMs, body }) })
    expect(isFromTheFleet(signed(), body, secret)).to.equal(true)
    expect(isFromTheFleet(signed(Date.now(), [other, secret]), body, secret), 'while it is rotated').to.equal(true)
    expect(isFromTheFleet(signed(), `${body} `, secret)).to.equal(false)
    expect(isFromTheFleet(signed(), body, other)).to.equal(false)
    expect(isFromTheFleet({ ...signed(), 'webhook-id': 'a2' }, body, secret)).to.equal(false)
    for (const atMs of [Date.now() - 302_000, Date.now() + 302_000])
      expect(isFromTheFleet(signed(atMs), body, secret)).to.equal(false)
    expect(isFromTheFleet({}, body, secret)).to.equal(false)
  })
})

describe('examples/receiver.mjs', () => {
  const secret = newSecret()
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
