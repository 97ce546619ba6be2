import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')

describe('a rejection that nobody handles', () => {
  it('fails the test run, whichever test it is in', () => {
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-rejections-'))
    try {
      const spec = join(dir, 'forgotten.mjs')
      writeFileSync(spec, `it('forgets', () => void Promise.reject(new Error('nobody heard of it')))\n`)
      const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
      const { status, stdout } = spawnSync(process.execPath, [mocha, spec], { cwd: root, encoding: 'utf8' })
      expect(stdout).to.contain('1 failing').and.to.contain('nobody heard of it')
      expect(status).not.to.equal(0)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})
