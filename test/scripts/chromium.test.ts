import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findChromium } from '../../scripts/chromium.mjs'

describe('finding a Chromium', () => {
  let dir: string
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'chromium-'))
  })
  after(() => rmSync(dir, { recursive: true }))

  it('takes the one that is named, else the first on the PATH that can be run', () => {
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    expect(findChromium(say, { CHROMIUM: '/opt/a-browser' })).to.equal('/opt/a-browser')
    const browser = join(dir, 'google-chrome')
    writeFileSync(join(dir, 'chromium'), 'not to be run')
    writeFileSync(browser, '')
    chmodSync(browser, 0o755)
    expect(findChromium(say, { PATH: `/nowhere:${dir}` })).to.equal(browser)
    expect(said).to.deep.equal([])
  })
})
