import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createNotes, type Notes } from '../../src/notes.ts'
import { createParts, maxWaitMs, type PartNote } from '../../src/sms/parts.ts'

describe('the parts of a long text', () => {
  let folder: string
  let notes: Notes<PartNote>
  let now: number
  const add = (number: number, text: string, total = 2, reference = '8 1') =>
    createParts({ notes, now: () => now }).add('+79001112233', '3377', { reference, number, total }, text)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courier-fleet-parts-'))
    notes = createNotes(folder)
    now = 1
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('come in any order, to any process', async () => {
    expect(await add(3, 'в', 3)).to.equal(undefined)
    expect(await add(1, 'а', 3)).to.equal(undefined)
    expect((await add(2, 'б', 3))?.text).to.equal('абв')
  })

  it('come again until the whole was taken, and are known afterwards', async () => {
    await add(1, 'а')
    await add(2, 'б')
    const whole = await add(2, 'б')
    expect(whole?.text).to.equal('аб')
    await whole?.finish()
    expect([await add(1, 'а'), await add(2, 'б')]).to.deep.equal([undefined, undefined])
    expect(await notes.names()).to.have.length(1)
  })

  it('begin a new text under a reference that was used before', async () => {
    await add(1, 'а')
    await (await add(2, 'б'))?.finish()
    expect(await add(1, 'в')).to.equal(undefined)
    expect((await add(2, 'б'))?.text).to.equal('вб')
  })

  it('that a new text has in common with the one before are not taken for that one brought again', async () => {
    await add(1, 'а')
    await (await add(2, 'б'))?.finish()
    expect(await add(1, 'а')).to.equal(undefined)
    const other = await add(2, 'в')
    expect(other?.text, 'another ending').to.equal('ав')
    await other?.finish()
    expect([await add(1, 'а'), await add(2, 'в')], 'and that one again').to.deep.equal([undefined, undefined])
    expect(await add(1, 'г')).to.equal(undefined)
    expect((await add(2, 'в'))?.text, 'another beginning').to.equal('гв')
  })

  it('of the text before, brought again one by one, are no parts of the next', async () => {
    for (const again of [1, 2]) {
      await add(1, 'а', 2, `8 ${again}`)
      await (await add(2, 'б', 2, `8 ${again}`))?.finish()
      expect(await add(again, again === 1 ? 'а' : 'б', 2, `8 ${again}`)).to.equal(undefined)
      expect(await add(1, 'в', 2, `8 ${again}`)).to.equal(undefined)
      expect((await add(2, 'г', 2, `8 ${again}`))?.text).to.equal('вг')
    }
  })

  it('are kept apart by reference and number of parts', async () => {
    await add(1, 'а', 2, '8 1')
    expect(await add(2, 'б', 2, '16 1')).to.equal(undefined)
    expect(await add(2, 'б', 3, '8 1')).to.equal(undefined)
  })

  it('do not wait for ever for each other', async () => {
    await add(1, 'а')
    now += maxWaitMs
    expect(await add(2, 'б')).to.equal(undefined)
    expect((await add(1, 'в'))?.text).to.equal('вб')
  })

  it('are removed from the folder when they have become old', async () => {
    await add(1, 'а')
    await notes.removeOld(60_000)
    expect(await notes.names()).to.have.length(1)
    await notes.removeOld(-1000)
    expect(await notes.names()).to.deep.equal([])
  })
})
