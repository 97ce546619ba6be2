import { expect } from 'chai'
import { createPaper } from '../src/posts/paper.ts'

describe('one message written over and over', () => {
  function start(everyMs: number, put: (text: string) => Promise<void> = async () => {}) {
    const written: string[] = []
    const troubles: unknown[] = []
    const stopping = new AbortController()
    const paper = createPaper({
      everyMs,
      signal: stopping.signal,
      onTrouble: (error) => troubles.push(error),
      async put(text) {
        await put(text)
        written.push(text)
      },
    })
    return { paper, written, troubles, stopping }
  }

  it('shows the first at once, and of those that follow fast the last', async () => {
    const { paper, written } = start(60_000)
    for (let i = 0; i < 100; i++) paper.write(`${i} of 100`)
    await paper.finish('done')
    expect(written.at(-1)).to.equal('done')
    expect(written).to.have.length(2)
  })

  it('does not write the same twice', async () => {
    const { paper, written } = start(0)
    paper.write('a')
    paper.write('a')
    await paper.finish('a')
    expect(written).to.deep.equal(['a'])
  })

  it('leaves out what could not be written, and still writes the end', async () => {
    let fails = true
    const { paper, written, troubles } = start(0, async () => {
      if (fails) throw new Error('away')
    })
    paper.write('a')
    await new Promise((resolve) => setImmediate(resolve))
    fails = false
    await paper.finish('end')
    expect(troubles).to.have.length(1)
    expect(written).to.deep.equal(['end'])
  })
})
