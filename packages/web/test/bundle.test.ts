/** What a browser loads to show the page. `npm test` has built it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { operatorViews } from '../src/routes.ts'

const dist = join(import.meta.dirname, '../dist')
const maxFirstBytes = 60 * 1024
const maxBytes = 100 * 1024
const maxOpenedBytes = 30 * 1024
const maxOperatorsBytes = 60 * 1024

const scripts = () => readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
const bytesOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + statSync(join(dist, 'assets', `${name}.gz`)).size, 0)

const atOnce = /\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g
const ever = /\b(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g

/** these scripts and all that each of them imports before it runs, or ever, and that is not among `found` */
function withImported(
  names: readonly string[],
  found: ReadonlySet<string> = new Set(),
  imports = atOnce,
): ReadonlySet<string> {
  const all = new Set(found)
  const more = names.filter((name) => !all.has(name))
  for (const name of more) {
    all.add(name)
    const source = readFileSync(join(dist, 'assets', name), 'utf8')
    for (const [, file] of source.matchAll(imports)) if (file && !all.has(file)) more.push(file)
  }
  return all
}

describe('the built web app', () => {
  const named = (name: string) => scripts().filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file))
  const entry = () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    return scripts().filter((name) => html.includes(`/assets/${name}`))
  }
  const first = () => entry().filter((name) => name.startsWith('index-'))
  const views = readdirSync(join(dist, '../src/views')).map((file) => file.replace(/\.tsx$/, ''))

  it('loads at most 60 KB of JavaScript, gzipped, before any view is shown in one language', () => {
    expect(entry()).not.to.deep.equal([])
    expect(views).to.include.members(['compose', 'message', 'messages', 'sign-in'])
    for (const language of ['en', 'ru']) {
      for (const view of views) {
        const chunks = [...named(language), ...named(view)]
        expect(chunks, view).to.have.length.of.at.least(2)
        const first = withImported([...entry(), ...chunks])
        expect(bytesOf(first), `${view} in ${language}`).to.be.below(maxFirstBytes)
        const other = language === 'en' ? 'ru' : 'en'
        expect([...first], 'the words of the other language').not.to.include.members(named(other))
      }
    }
  })

  it('is at most 100 KB of JavaScript, gzipped, with all that teachers and students open in every language, and 30 KB for what they open on it', () => {
    const others = views.filter((view) => !(view in operatorViews))
    expect(others).to.have.lengthOf(views.length - Object.keys(operatorViews).length)
    expect(bytesOf(app(others))).to.be.below(maxBytes)
    const opened = [...everything(others)].filter((name) => !app(others).has(name))
    expect(bytesOf(opened)).to.be.below(maxOpenedBytes)
  })

  it('loads at most 60 KB more for operators, with all that they open', () => {
    const others = everything(views.filter((view) => !(view in operatorViews)))
    const own = scripts().filter((name) => !others.has(name))
    expect(own, 'each of their views').to.include.members(Object.keys(operatorViews).flatMap(named))
    expect(bytesOf(own)).to.be.below(maxOperatorsBytes)
  })

  const app = (some: readonly string[]) => withImported([...entry(), ...['en', 'ru', ...some].flatMap(named)])
  // the first script leads to every view there is; the shared file beside it leads to parts that many views open
  const everything = (some: readonly string[]) =>
    withImported(
      [...app(some)].filter((name) => !first().includes(name)),
      new Set(first()),
      ever,
    )

  it('has nothing inline and nothing from elsewhere', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    expect(html).not.to.match(/<style|style=|\son\w+=|<script(?![^>]* src="\/assets\/)|(src|href)="(?!\/assets\/)/)
  })
})
