import { expect } from 'chai'
import { circlesOf } from './circles.ts'
import { filesOf, importedFiles, workspaces } from './sources.ts'

describe('imports run in no circles', () => {
  const files = filesOf(...workspaces.map(({ folder }) => folder), 'tools', 'scripts', 'test')

  it('neither when they are loaded nor among types', () => {
    expect(files).to.have.length.above(500)
    expect(circlesOf(new Set(files), importedFiles)).to.deep.equal([])
  })
})

describe('circles', () => {
  const graph: Record<string, string[]> = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a', 'f'] }

  it('are found, each once, with all that are in it', () => {
    const found = circlesOf(Object.keys(graph), (name) => graph[name] ?? [])
    expect(found.map((circle) => circle.sort())).to.have.deep.members([['a', 'b', 'c'], ['d', 'e'], ['f']])
  })

  it('are none in a tree', () => {
    expect(circlesOf(['a'], (name) => (name === 'a' ? ['b', 'c'] : name === 'b' ? ['c'] : []))).to.deep.equal([])
  })
})
