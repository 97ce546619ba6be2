/** What a browser loads to show the page. `npm test` has built it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const dist = join(import.meta.dirname, '../dist')
const maxJavaScriptBytes = 60 * 1024

const bytesOf = (scripts: readonly string[]) =>
  scripts.reduce((sum, name) => sum + statSync(join(dist, 'assets', `${name}.gz`)).size, 0)

describe('the built web app', () => {
  it('is at most 60 KB of JavaScript, gzipped, and what is loaded later as much again', () => {
    const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    const first = scripts.filter((name) => html.includes(`/assets/${name}`))
    const later = scripts.filter((name) => !first.includes(name))
    expect(first).not.to.deep.equal([])
    expect(bytesOf(first)).to.be.below(maxJavaScriptBytes)
    expect(bytesOf(later)).to.be.below(maxJavaScriptBytes)
  })

  it('has nothing inline and nothing from elsewhere', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    expect(html).not.to.match(/<style|style=|\son\w+=|<script(?![^>]* src="\/assets\/)|(src|href)="(?!\/assets\/)/)
  })
})
