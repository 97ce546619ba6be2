/** Which cases properties are given: the same in each run, others where PROPERTY_SEED asks for them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')

describe('the cases that properties are given', () => {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-seed-'))
  const spec = join(dir, 'drawn.test.ts')
  writeFileSync(
    spec,
    `import { createRequire } from 'node:module'
     const fc = createRequire('${root}/package.json')('fast-check')
     it('draws', () => fc.assert(fc.property(fc.nat(), fc.string(), (...drawn) => console.log(JSON.stringify(drawn)))))
     it('fails', () => fc.assert(fc.property(fc.nat(), () => false)))`,
  )
  after(() => rmSync(dir, { recursive: true }))

  const run = (seed?: string) => {
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
    const { PROPERTY_SEED: _ours, ...env } = process.env
    const given = seed === undefined ? env : { ...env, PROPERTY_SEED: seed }
    const { stdout, stderr } = spawnSync(process.execPath, [mocha, spec], { cwd: root, encoding: 'utf8', env: given })
    return { cases: stdout.match(/^\[.*\]$/gm), said: stdout + stderr }
  }

  it('are the same in each run, and others for another seed, which a property that fails names', () => {
    const [first, second, other] = [run(), run(), run('20261127')]
    expect(first.cases).to.have.length(100).and.deep.equal(second.cases)
    expect(other.cases).to.have.length(100).and.not.deep.equal(first.cases)
    expect(other.said).to.contain('seed: 20261127')
  })

  it('are drawn from no seed that is no number: that is said', () => {
    expect(run('any').said).to.contain('PROPERTY_SEED is a whole number of up to nine digits, not any')
  })
})
