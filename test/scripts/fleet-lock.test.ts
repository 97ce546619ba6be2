import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { lockFleet, readJson } from '../../scripts/fleet-lock.mjs'

const say = () => {}
/** a pid no process has: above the kernel's highest */
const gonePid = 4_194_305

describe('the lock of a data folder', () => {
  let dir: string
  const children: ChildProcess[] = []
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'fleet-lock-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(dir, { recursive: true })
  })

  /** A process whose command line contains `marker`. */
  async function runChild(marker: string): Promise<ChildProcess> {
    const child = spawn('/bin/sh', ['-c', 'echo up; read _', marker], { stdio: ['pipe', 'pipe', 'ignore'] })
    children.push(child)
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    return child
  }
  const writeRunning = (value: object) => writeFileSync(join(dir, 'running.json'), JSON.stringify(value))

  it('refuses a second fleet, naming the first and how to stop it', async () => {
    const first = await runChild('fleet-marker-a')
    writeRunning({ pid: first.pid, marker: 'fleet-marker-a', children: [] })
    try {
      await lockFleet(dir, { say })
      expect.fail('no error')
    } catch (error) {
      expect(String(error)).to.contain(`kill ${first.pid}`)
    }
  })

  it('is taken over from a fleet that is gone, or whose pid now belongs to somebody else', async () => {
    const stranger = await runChild('somebody-else')
    for (const pid of [gonePid, stranger.pid]) {
      writeRunning({ pid, marker: 'fleet-marker-b', children: [] })
      const lock = await lockFleet(dir, { say })
      expect(readJson(join(dir, 'running.json')).pid).to.equal(process.pid)
      lock.release()
    }
    expect(stranger.exitCode).to.equal(null)
  })

  it('ends the children that a killed fleet left behind, and nobody else', async () => {
    const orphan = await runChild('orphan-marker')
    const stranger = await runChild('somebody-else')
    const exited = once(orphan, 'exit')
    writeRunning({
      pid: gonePid,
      marker: 'fleet-marker-c',
      children: [
        { name: 'queue', pid: orphan.pid, marker: 'orphan-marker' },
        { name: 'redis', pid: stranger.pid, marker: '127.0.0.1:6379' },
      ],
    })
    const said: string[] = []
    const lock = await lockFleet(dir, { say: (text: string) => said.push(text) })
    await exited
    expect(stranger.exitCode).to.equal(null)
    expect(said.join()).to.contain('queue').and.not.contain('redis')
    lock.release()
  })

  it('notes the children and is gone after its release', async () => {
    const lock = await lockFleet(dir, { say })
    lock.update([{ name: 'queue', pid: 1, marker: 'x' }])
    expect(readJson(join(dir, 'running.json')).children).to.deep.equal([{ name: 'queue', pid: 1, marker: 'x' }])
    lock.release()
    expect(readJson(join(dir, 'running.json'))).to.equal(undefined)
  })

  it('survives a file that was cut off', async () => {
    writeFileSync(join(dir, 'running.json'), '{"pid":')
    const lock = await lockFleet(dir, { say })
    lock.release()
  })
})
