/** What a browser loads to show the page. `npm test` has built it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const dist = join(import.meta.dirname, '../dist')
const maxJavaScriptBytes = 60 * 1024

describe('the built web app', () => {
  it('is at most 60 KB of JavaScript, gzipped', () => {
    const assets = readdirSync(join(dist, 'assets'))
    const scripts = assets.filter((name) => name.endsWith('.js'))
    expect(scripts).not.to.deep.equal([])
    const bytes = scripts.reduce((sum, name) => sum + statSync(join(dist, 'assets', `${name}.gz`)).size, 0)
    expect(bytes).to.be.below(maxJavaScriptBytes)
  })

  it('has nothing inline and nothing from elsewhere', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    expect(html).not.to.match(/<style|style=|\son\w+=|<script(?![^>]* src="\/assets\/)|(src|href)="(?!\/assets\/)/)
  })
})
