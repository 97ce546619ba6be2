/** Links between the Markdown files of the repository, which are the pages of the documentation: nothing is built. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { anchorOf, anchorsOf, linksOf, listPages, pageOf, root, targetOf } from '../../tools/docs/pages.mjs'

describe('the pages of the documentation', () => {
  const pages: readonly string[] = listPages()

  it('are all Markdown files, each at a place of its own', () => {
    expect(pages).to.include.members([
      'README.md',
      'CONTRIBUTING.md',
      'docs/api.md',
      'docs/ru/teacher.md',
      'lua/README.md',
    ])
    expect(new Set(pages.map(pageOf))).to.have.property('size', pages.length)
  })

  it('have links that lead to files, and to headings that are there', () => {
    let checked = 0
    const dead = pages.flatMap((from) =>
      linksOf(from).flatMap((href: string) => {
        const target = targetOf(href, from)
        if (!target) return []
        checked++
        const { file, anchor, isPage, exists } = target
        const leads = exists && (!anchor || !isPage || anchorsOf(file).includes(anchor))
        return leads ? [] : [`${from}: ${href}`]
      }),
    )
    expect(dead).to.deep.equal([])
    expect(checked).to.be.above(250)
  })

  it('to begin with are there in both languages, and say the same in as many headings and pictures', () => {
    for (const name of ['index', 'teacher', 'operator', 'engineer', 'maintainer']) {
      const both = [`docs/${name}.md`, `docs/ru/${name}.md`]
      for (const file of both) expect(existsSync(join(root, file)), file).to.equal(true)
      const [headings, russian] = both.map((file) => anchorsOf(file).length)
      expect(headings, name).to.equal(russian)
      const pictures = both.map((file) => linksOf(file).flatMap((href: string) => /[\w-]+\.png$/.exec(href)?.[0] ?? []))
      expect(pictures[0], name).to.deep.equal(pictures[1])
    }
  })

  it('have anchors as GitHub makes them', () => {
    expect(anchorOf('Not delivered: `unknown`, and why?')).to.equal('not-delivered-unknown-and-why')
    expect(anchorOf('По SMS: памятка')).to.equal('по-sms-памятка')
    expect(anchorOf('a – b')).to.equal('a--b')
    expect(targetOf('https://example.org/#x', 'README.md')).to.equal(undefined)
    expect(targetOf('../../etc', 'docs/api.md')).to.include({ exists: false })
  })
})
