import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const child = fileURLToPath(new URL('lifecycle-child.ts', import.meta.url))

/** Runs the child; at each of the words it says sends it the signal that stands beside the word. */
async function run(does: string, signals: Record<string, NodeJS.Signals>, graceMs = 120_000) {
  const running = spawn(process.execPath, ['--import', 'tsx', '--conditions', 'source', child, does, `${graceMs}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  let log = ''
  running.stdout.on('data', (chunk: Buffer) => {
    for (const word of chunk.toString().split('\n').filter(Boolean)) {
      said.push(word)
      const signal = signals[word]
      if (signal) running.kill(signal)
    }
  })
  running.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const [code] = (await once(running, 'close')) as [number]
  return { code, said, log }
}

describe('lifecycle of a process, and what it logs', () => {
  it('stops on SIGTERM and SIGINT, and ends well', async () => {
    const [term, int] = await Promise.all([run('waits', { started: 'SIGTERM' }), run('waits', { started: 'SIGINT' })])
    for (const { code, said } of [term, int]) {
      expect(said).to.deep.equal(['started', 'stopping', 'stopped'])
      expect(code).to.equal(0)
    }
    expect(term.log).to.contain('"signal":"SIGTERM"')
  })

  it('ends with an error when it cannot start, does not stop in time, or is told twice', async () => {
    const [fails, late, twice] = await Promise.all([
      run('fails', {}),
      run('hangs', { started: 'SIGTERM' }, 300),
      run('hangs', { started: 'SIGTERM', stopping: 'SIGTERM' }),
    ])
    expect([fails.code, fails.said]).to.deep.equal([1, []])
    expect(fails.log).to.contain('no token in the environment')
    expect([late.code, late.said]).to.deep.equal([1, ['started', 'stopping']])
    expect(late.log).to.contain('did not stop in time')
    expect(twice.code).to.equal(130)
  })

  it('has its time awake: one whose machine stands still meanwhile for longer ends well', async () => {
    const { code, said } = await run('stands still', { started: 'SIGTERM' }, 2_500)
    expect([code, said]).to.deep.equal([0, ['started', 'stopping', 'stopped']])
  })

  it('ends at once, and well, when it is told to before it has started', async () => {
    const { code, said } = await run('cannot start', { starting: 'SIGTERM' })
    expect([code, said]).to.deep.equal([0, ['starting']])
  })

  it('says of an error what it is, and never what a command was given, not even when nobody caught it', async () => {
    const { code, log } = await run('defect', {})
    expect(code).to.equal(1)
    expect(log).not.to.contain('PLANTED')
    const lines = log.trim().split('\n')
    const [outer, unknown, defect] = lines.map((line) => JSON.parse(line))
    expect(lines).to.have.length(3)
    expect([outer.err.message, outer.err.cause.message]).to.deep.equal(['outer', 'a defect'])
    expect(unknown.err).to.include({ code: 'E1', message: "ERR unknown command 'sett'" })
    expect(defect.msg).to.equal('a defect has ended this process')
    expect(defect.err.stack).to.contain('lifecycle-child.ts')
  })

  it('keeps secrets out of its log', async () => {
    const { log } = await run('secrets', { started: 'SIGTERM' })
    expect(log).to.contain('"plain":"shown"')
    expect(log.match(/\[hidden\]/g)).to.have.length(11)
    expect(log).to.not.match(/"S\d"/)
  })
})
