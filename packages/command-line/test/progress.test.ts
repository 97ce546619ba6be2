import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { createProgress } from '../src/progress.ts'

function screen(isTTY: boolean, columns = 20) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream
  return { stream, written: () => String((stream as unknown as PassThrough).read() ?? '') }
}

describe('progress', () => {
  it('is one block on a terminal, cut to its width, and gone at the end', () => {
    const { stream, written } = screen(true)
    const progress = createProgress(stream, false)
    progress.show('1', 'telegram 1\nvk 1')
    progress.show('1', 'telegram 1\nvk 1')
    progress.show('2', `telegram 2\n${'v'.repeat(30)}`)
    progress.end()
    const clear = '\r\x1b[1A\x1b[J'
    expect(written()).to.equal(`telegram 1\nvk 1${clear}telegram 2\n${'v'.repeat(19)}${clear}`)
  })

  it('is not cut short by a terminal that does not know its width', () => {
    const { stream, written } = screen(true, 0)
    createProgress(stream, false).show('telegram 1')
    expect(written()).to.equal('telegram 1')
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
