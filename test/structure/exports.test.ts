import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, root, workspaces } from './sources.ts'

const exported = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm

/** Names that a source file exports and that no file has a second time, its own included. */
function neverUsed(sources: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  const times = new Map<string, number>()
  for (const text of texts.values())
    for (const [word] of text.matchAll(/\w+/g)) times.set(word, (times.get(word) ?? 0) + 1)
  return sources.flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(exported)]
      .map(([, name]) => name as string)
      .filter((name) => times.get(name) === 1)
      .map((name) => `${file}: ${name}`),
  )
}

describe('what is exported', () => {
  it('is used somewhere', () => {
    const files = filesOf(...workspaces.map(({ folder }) => folder), 'tools', 'scripts', 'test', 'examples')
    const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
    expect(neverUsed(files, texts)).to.deep.equal([])
  })

  it('is told where nothing uses it', () => {
    const texts = new Map([
      ['a', 'export const used = 1\nexport type Unused = number\n'],
      ['b', "import { used } from './a.ts'\nexport function also() {}\nalso(used)\n"],
    ])
    expect(neverUsed(['a', 'b'], texts)).to.deep.equal(['a: Unused'])
  })
})
