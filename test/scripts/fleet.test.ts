import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFleet } from '../../scripts/fleet.mjs'
import { lockFleet } from '../../scripts/fleet-lock.mjs'
import { createProcessLog } from '../../scripts/process-log.mjs'

describe('what is written down about the running fleet', () => {
  let dir: string
  let fleet: ReturnType<typeof createFleet>
  let log: ReturnType<typeof createProcessLog>
  const written = (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8'))
  const namesIn = (file: 'fleet.json' | 'running.json') =>
    (written(file).processes ?? written(file).children).map(({ name }: { name: string }) => name)

  /** Runs until it is told to stop and `leave` is there. */
  async function run(name: string, leave: string): Promise<void> {
    const up = join(dir, `${name}-is-up`)
    const script = `trap : TERM; : > ${up}; while [ ! -e ${leave} ]; do sleep 0.02; done`
    fleet.run({ name, marker: name, command: () => ({ file: '/bin/sh', args: ['-c', script], env: process.env }) })
    await until(() => existsSync(up), `${name} is up`)
  }

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-fleet-'))
    const say = () => {}
    log = createProcessLog({ dir: join(dir, 'logs'), print: say })
    fleet = createFleet({ dataDir: dir, lock: await lockFleet(dir, { say }), log, say })
    fleet.publish({})
  })

  afterEach(async () => {
    fleet.kill()
    await log.close()
    rmSync(dir, { recursive: true })
  })

  it('names a process that is taken away until it has ended, whoever else comes and goes', async () => {
    const leave = join(dir, 'leave')
    await run('slow', leave)
    const gone = fleet.remove('slow')
    await run('other', leave)
    expect(namesIn('fleet.json')).to.have.members(['slow', 'other'])
    expect(namesIn('running.json'), 'what a killed npm start leaves behind').to.have.members(['slow', 'other'])
    writeFileSync(leave, '')
    await gone
    expect(namesIn('fleet.json')).not.to.contain('slow')
  })
})
