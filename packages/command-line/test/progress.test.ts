import { expect } from 'chai'
import { createProgress } from '../src/progress.ts'
import { screen } from './screen.ts'

describe('progress', () => {
  it('is one block on a terminal, cut to its width, and gone at the end', async () => {
    const { stream, seen } = screen(true)
    const progress = createProgress(stream, false)
    progress.show('1', 'telegram 1\nvk 1')
    expect(await seen()).to.deep.equal(['telegram 1', 'vk 1'])
    progress.show('2', `telegram 2\n${'v'.repeat(30)}`)
    expect(await seen()).to.deep.equal(['telegram 2', 'v'.repeat(19)])
    progress.show('3', 'all')
    expect(await seen()).to.deep.equal(['all'])
    progress.end()
    expect(await seen()).to.deep.equal([])
    stream.write('Everyone got it')
    expect(await seen()).to.deep.equal(['Everyone got it'])
  })

  it('writes nothing where nothing has changed', () => {
    const { stream, written } = screen(true)
    const progress = createProgress(stream, false)
    progress.show('1', 'telegram 1')
    expect(written()).to.contain('telegram 1')
    progress.show('1', 'telegram 1')
    expect(written()).to.equal('')
  })

  it('is not cut short by a terminal that does not know its width', async () => {
    const { stream, seen } = screen(true, 0)
    createProgress(stream, false).show('telegram 1')
    expect(await seen()).to.deep.equal(['telegram 1'])
  })

  it('is a line for each change elsewhere, or nothing at all', () => {
    const { stream, written } = screen(false)
    const progress = createProgress(stream, false)
    for (const line of ['1', '1', '2']) progress.show(line, `block of\n${line}`)
    progress.end()
    createProgress(stream, true).show('3')
    expect(written()).to.equal('1\n2\n')
  })
})
