import { expect } from 'chai'
import { createThrottled } from '../src/outgoing/throttled.ts'

describe('one message edited again and again', () => {
  function start(everyMs: number, put: (text: string) => Promise<void> = async () => {}) {
    const written: string[] = []
    const troubles: unknown[] = []
    const stopping = new AbortController()
    const edit = createThrottled<string>({
      everyMs,
      signal: stopping.signal,
      onTrouble: (error) => troubles.push(error),
      async put(text) {
        await put(text)
        written.push(text)
      },
    })
    return { edit, written, troubles, stopping }
  }

  it('shows the first at once, and of those that follow fast the last', async () => {
    const { edit, written } = start(60_000)
    for (let i = 0; i < 100; i++) edit.write(`${i} of 100`)
    await edit.finish('done')
    expect(written.at(-1)).to.equal('done')
    expect(written).to.have.length(2)
  })

  it('does not write the same twice', async () => {
    const { edit, written } = start(0)
    edit.write('a')
    edit.write('a')
    await edit.finish('a')
    expect(written).to.deep.equal(['a'])
  })

  it('leaves out what could not be written, and still writes the end', async () => {
    let fails = true
    const { edit, written, troubles } = start(0, async () => {
      if (fails) throw new Error('away')
    })
    edit.write('a')
    await new Promise((resolve) => setImmediate(resolve))
    fails = false
    await edit.finish('end')
    expect(troubles).to.have.length(1)
    expect(written).to.deep.equal(['end'])
  })
})
