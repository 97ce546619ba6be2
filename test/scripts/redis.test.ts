import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePort, freePorts } from '../../scripts/free-port.mjs'
import { parseVersion } from '../../scripts/redis.mjs'
import { missingPackages } from '../../scripts/redis-debian.mjs'

const freePortFile = new URL('../../scripts/free-port.mjs', import.meta.url).href
const testFile = fileURLToPath(new URL('../../scripts/test.mjs', import.meta.url))

describe('finding a Redis', () => {
  const versions: [line: string, usable: boolean | undefined][] = [
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1', true],
    ['Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1', false],
    ['Redis server v=10.1.0 sha=00000000:0', true],
    ['Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64 build=1', true],
    ['Valkey server v=7.2.8 sha=00000000:0', false],
    ['command not understood', undefined],
  ]
  for (const [line, usable] of versions) {
    it(`takes "${line.slice(0, 23)}" for ${usable === undefined ? 'no server' : usable ? 'new enough' : 'too old'}`, () => {
      expect(parseVersion(line)?.usable).to.equal(usable)
    })
  }

  it('reads from apt which packages this system lacks', () => {
    const simulation = [
      'The following NEW packages will be installed:',
      'Inst libjemalloc2 (5.3.0-1 Debian:12 [amd64])',
      'Inst redis-tools (5:7.0.15-1 Debian:12 [amd64])',
      'Conf libjemalloc2 (5.3.0-1 Debian:12 [amd64])',
    ].join('\n')
    expect(missingPackages(simulation)).to.deep.equal(['redis-tools', 'libjemalloc2'])
    expect(missingPackages('redis-tools is already the newest version')).to.deep.equal(['redis-tools'])
  })

  it('keeps the wanted port while it is free, and takes another when it is not', async () => {
    const wanted = await freePort()
    expect(await freePort(wanted)).to.equal(wanted)
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(wanted, '127.0.0.1', resolve))
    expect(await freePort(wanted))
      .to.be.above(0)
      .and.not.equal(wanted)
    await new Promise((resolve) => holder.close(resolve))
  })

  it('gives no port twice, and in a test run those alone of its lane', async () => {
    const [from = 0, until = 0] = (process.env.TEST_PORTS ?? '').split('-').map(Number)
    const ports = await freePorts(200)
    expect(new Set(ports).size).to.equal(200)
    for (const port of ports) expect(port).to.be.within(from, until - 1)
  })

  it('gives ports of the range that is named', () => {
    const [, until] = (process.env.TEST_PORTS ?? '').split('-').map(Number) as [number, number]
    const program = `import(${JSON.stringify(freePortFile)}).then(async ({ freePorts }) => console.log(await freePorts(3)))`
    const env = { ...process.env, TEST_PORTS: `${until - 5}-${until}` }
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' })
    const ports = (stdout.match(/\d+/g) ?? []).map(Number)
    expect(ports, stderr).to.have.length(3)
    for (const port of ports) expect(port).to.be.within(until - 5, until - 1)
  })

  it('gives nobody else a port that was asked for by number, before its asker listens there', () => {
    const [, until] = (process.env.TEST_PORTS ?? '').split('-').map(Number) as [number, number]
    const wanted = until - 2
    const ask = `await freePort(${wanted}), ...(await freePorts(3))`
    const program = `import(${JSON.stringify(freePortFile)}).then(async ({ freePort, freePorts }) => console.log([${ask}]))`
    const env = { ...process.env, TEST_PORTS: `${until - 3}-${until}` }
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' })
    const [first, ...others] = (stdout.match(/\d+/g) ?? []).map(Number)
    expect(first, stderr).to.equal(wanted)
    expect(others).to.have.length(3).and.not.include(wanted)
  })

  it('is told in one line, before anything is built, when that is no range', () => {
    for (const wrong of ['20000', '32768-20000']) {
      const env = { ...process.env, TEST_PORTS: wrong }
      const { status, stdout, stderr } = spawnSync(process.execPath, [testFile], { env, encoding: 'utf8' })
      expect({ status, stdout, stderr }).to.deep.equal({
        status: 1,
        stdout: '',
        stderr: `Tests: TEST_PORTS is ${wrong}; it has to be a range of ports, such as 20000-26384\n`,
      })
    }
  })
})
