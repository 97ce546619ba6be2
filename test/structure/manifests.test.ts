import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, importsOf, type Manifest, packageOf, root, rootManifest, workspaces } from './sources.ts'

const ours = (name: string) => name.startsWith('@courier-fleet/')
const namesIn = (dependencies: Readonly<Record<string, string>> = {}) => Object.keys(dependencies)
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** packages that these files import */
function imported(files: readonly string[]): Set<string> {
  const names = files.flatMap((file) => importsOf(file).map(({ name }) => packageOf(name)))
  return new Set(names.filter((name) => name !== undefined))
}

describe('manifests name what is imported', () => {
  const inTheRoot = namesIn(rootManifest.devDependencies)
  const built = workspaces.filter(({ folder }) => existsSync(join(root, folder, 'tsconfig.json')))

  for (const { folder, name, manifest } of workspaces) {
    const inSrc = imported(filesOf(`${folder}/src`, `${folder}/bin`))
    const inTests = imported(filesOf(folder))
    for (const names of [inSrc, inTests]) names.delete(name)

    it(`${folder}: its dependencies are what its sources import`, () => {
      expect(namesIn(manifest.dependencies)).to.have.members([...inSrc])
    })

    it(`${folder}: its devDependencies are what only its tests import, or stand in the root`, () => {
      const own = namesIn(manifest.devDependencies)
      const needed = [...inTests].filter((each) => !inSrc.has(each))
      expect(own, 'named for nothing').to.have.members(needed.filter((each) => own.includes(each)))
      expect([...own, ...inTheRoot]).to.include.members(needed)
    })

    if (built.some((each) => each.folder === folder))
      it(`${folder}: its tsconfig references the packages that its sources import`, () => {
        const { references = [] } = read(`${folder}/tsconfig.json`) as { references?: { path: string }[] }
        const paths = workspaces.filter((each) => inSrc.has(each.name)).map((each) => each.folder)
        expect(references.map(({ path }) => join(folder, path))).to.have.members(paths)
      })
  }

  it('the root references every workspace that is built, among them all of packages/', () => {
    const { references } = read('tsconfig.json') as { references: { path: string }[] }
    expect(references.map(({ path }) => path)).to.have.members(built.map(({ folder }) => folder))
    expect(built.filter(({ folder }) => folder.startsWith('packages/'))).to.have.length(
      workspaces.filter(({ folder }) => folder.startsWith('packages/')).length,
    )
  })

  it('the root names what its scripts, tests and tools without a manifest import', () => {
    const bench = read('tools/bench/package.json') as Manifest
    const inScripts = imported(filesOf('scripts'))
    const elsewhere = [...imported(filesOf('test', 'tools/measure', 'tools/bench'))]
    const needed = [...inScripts, ...elsewhere.filter((name) => !namesIn(bench.dependencies).includes(name))]
    const named = [...namesIn(rootManifest.dependencies), ...inTheRoot]
    expect(named).to.include.members(needed)
    expect(new Set(named)).to.have.property('size', named.length)
    expect([...inScripts], 'dependencies').to.include.members(namesIn(rootManifest.dependencies))
    expect(needed, 'packages of ours').to.include.members(named.filter(ours))
    expect(elsewhere, 'of the bench').to.include.members(namesIn(bench.dependencies))
  })

  it('every script of package.json that is a file is there', () => {
    const { scripts } = read('package.json') as { scripts: Record<string, string> }
    const files = Object.values(scripts).flatMap((command) => command.match(/\b[\w/-]+\.mjs/g) ?? [])
    expect(files).to.have.length.above(5)
    for (const file of files) expect(existsSync(join(root, file)), file).to.equal(true)
  })
})
