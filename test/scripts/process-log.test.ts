import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect } from 'chai'
import { createProcessLog, worthALook } from '../../scripts/process-log.mjs'

describe('what of a log line is worth reading at the terminal', () => {
  const cases: [name: string, line: string, shown: string | undefined][] = [
    ['information is not', '{"level":30,"msg":"listening"}', undefined],
    ['a warning is', '{"level":40,"msg":"slow"}', 'slow'],
    [
      'an error is, with its cause',
      '{"level":50,"msg":"failed","err":{"message":"no route"}}',
      'error: failed (no route)',
    ],
    ['a cause is not said twice', '{"level":60,"msg":"no route","err":{"message":"no route"}}', 'error: no route'],
    ['other words are', 'Segmentation fault', 'Segmentation fault'],
    ['the lines of a stack are not', '    at main (file.js:1:1)', undefined],
    ['a deprecation is not', '(node:7) [DEP0040] DeprecationWarning: punycode', undefined],
    [
      'a leak that Node warns of is',
      '(node:7) MaxListenersExceededWarning: 11',
      '(node:7) MaxListenersExceededWarning: 11',
    ],
    ['broken JSON is', '{"level":', '{"level":'],
  ]
  for (const [name, line, shown] of cases) {
    it(name, () => {
      expect(worthALook(line)).to.equal(shown)
    })
  }
})

describe('the process log', () => {
  it('keeps everything in a file and shows the same words once', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'process-log-'))
    const printed: string[] = []
    const log = createProcessLog({ dir, print: (text: string) => printed.push(text) })
    const script = `echo out; for i in 1 2 3; do echo '{"level":40,"msg":"slow"}' >&2; done`
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    log.attach('queue', child)
    await once(child, 'close')
    await log.close()
    const lines = readFileSync(log.pathOf('queue'), 'utf8').trim().split('\n').sort()
    expect(lines).to.deep.equal(['out', ...Array(3).fill('{"level":40,"msg":"slow"}')].sort())
    expect(printed).to.deep.equal(['queue: slow'])
    rmSync(dir, { recursive: true })
  })

  it('keeps what is read after a process has ended, and takes nothing more once it is closed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'process-log-'))
    const log = createProcessLog({ dir, print: () => {} })
    const [ended, heldOpen] = [outputs(), outputs()]
    log.attach('queue', ended)
    log.attach('redis', heldOpen)
    const closed = log.close()
    ended.stdout.end('last words\n')
    ended.stderr.end()
    await closed
    heldOpen.stdout.end('late\n')
    heldOpen.stderr.end()
    await finished(heldOpen.stdout)
    expect(readFileSync(log.pathOf('queue'), 'utf8')).to.equal('last words\n')
    // a file is written in a later turn than it is opened in
    await new Promise(setImmediate)
    expect(readdirSync(dir)).to.deep.equal(['queue.log'])
    rmSync(dir, { recursive: true })
  })
})

const outputs = () => ({ stdout: new PassThrough(), stderr: new PassThrough() })
