import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog } from '@courier-fleet/process'
import { freePort } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Sandbox, startSandbox } from '../../src/sandbox.ts'

describe('the sandbox as a whole', () => {
  let dataDir: string
  const running: Sandbox[] = []
  const start = async () => {
    const sandbox = await startSandbox({ dataDir, log: silentLog })
    running.push(sandbox)
    return sandbox
  }
  const portsFile = () => join(dataDir, 'sandbox-ports.json')
  /** Has it remember ports that no system hands out by itself: another process could have one of those in between. */
  async function rememberOwnPorts(): Promise<void> {
    await (await start()).stop()
    const known: Record<string, Record<string, number>> = JSON.parse(readFileSync(portsFile(), 'utf8'))
    for (const ports of Object.values(known)) for (const name of Object.keys(ports)) ports[name] = await freePort()
    writeFileSync(portsFile(), JSON.stringify(known))
  }
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  })
  afterEach(async () => {
    for (const sandbox of running.splice(0)) await sandbox.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('brings all stand-ins up around one world', async () => {
    const { url, endpoints, world } = await start()
    expect(await (await fetch(`${url}/endpoints`)).json()).to.deep.equal(endpoints)
    const query = new URLSearchParams({
      access_token: endpoints.vk.token,
      v: '5.199',
      user_id: '5',
      random_id: '1',
      message: 'раз',
    })
    await fetch(`${vkApiUrl(endpoints.vk)}/messages.send?${query}`)
    const row = JSON.parse(await (await fetch(`${url}/accepted`)).text())
    expect(row).to.include({ seq: 0, channel: 'vk', address: '5', text: 'раз' })
    expect(world.accepted).to.have.length(1)
  })

  it('is found where it was after a restart', async () => {
    await rememberOwnPorts()
    const first = await start()
    await first.stop()
    await first.stop()
    const second = await start()
    expect(second.endpoints).to.deep.equal(first.endpoints)
  })

  it('goes elsewhere when its place is taken, or its memory is damaged', async () => {
    await rememberOwnPorts()
    const first = await start()
    await first.stop()
    const { vk } = JSON.parse(readFileSync(portsFile(), 'utf8'))
    const other = createServer().listen(vk.http, '127.0.0.1')
    await once(other, 'listening')
    const second = await start()
    expect(second.endpoints.vk.port).not.to.equal(first.endpoints.vk.port)
    await second.stop()
    writeFileSync(portsFile(), '{"vk":')
    await start()
    other.close()
    await once(other, 'close')
  })

  it('leaves nothing running when it cannot start', async () => {
    const { url } = await start()
    const port = Number(new URL(url).port)
    const failure = await startSandbox({ port, log: silentLog }).catch((error) => error.code)
    expect(failure).to.equal('EADDRINUSE')
  })

  it('ends on SIGTERM', async () => {
    const main = new URL('../../src/main.ts', import.meta.url).pathname
    const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', main], {
      env: { ...process.env, SANDBOX_PORT: String(await freePort()), SANDBOX_DATA_DIR: dataDir, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(child, 'exit')
    for await (const chunk of child.stderr.setEncoding('utf8'))
      if (String(chunk).includes('started')) child.kill('SIGTERM')
    expect(await ended).to.deep.equal([0, null])
  })
})
