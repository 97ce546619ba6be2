/** docs/api.md tells of every reason, cause of waiting, number of the flow and code of a problem that the API may say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flows, reasons, waveCauses } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { filesOf, root } from './sources.ts'

const page = readFileSync(join(root, 'docs/api.md'), 'utf8')

/** The first cells of the table that begins so, without its head. */
function cellsOf(head: string): readonly string[] {
  const [, table = ''] = page.split(`\n${head}\n`)
  const [rows = ''] = table.split('\n\n')
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.split('|')[1] ?? '')
}

const namesIn = (cells: readonly string[]) =>
  cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name as string))

/** As it is written there: three digits a group, those left out that say nothing at the end. */
const written = (flow: string) => (flow.replace(/(000){1,2}$/, '').match(/.../g) ?? []).join(' ')

/** Of those made where they are thrown. Whatever has an API of its own, or calls one, is left out. */
const sources = filesOf('packages').filter(
  (file) => !/\/test\/|^packages\/(sandbox|client|command-line|web|bot|inbound)\//.test(file),
)
const codes = new Set(
  sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/new Problem(?:WithFacts)?\(\s*\d{3},\s*'([a-z-]+)'/g)].map(
      ([, code]) => code as string,
    ),
  ),
)

describe('docs/api.md', () => {
  it('has each reason once', () => {
    expect(namesIn(cellsOf('| `reason` | of | why |'))).to.have.members([...reasons])
  })

  it('has each cause of waiting once', () => {
    expect(namesIn(cellsOf('| `cause` | why they wait |'))).to.have.members([...waveCauses])
  })

  it('has each number of the flow', () => {
    const rows = page.slice(
      page.indexOf('\n| digits | are |\n'),
      page.indexOf('Each state with each reason is one number'),
    )
    expect(flows.filter((flow) => !rows.includes(`\`${written(flow)}`))).to.deep.equal([])
  })

  it('has each code of a problem', () => {
    expect(codes.size, 'codes').to.be.above(100)
    const told = page.slice(page.indexOf('\n## Problems\n'), page.indexOf('\n## For those who run it\n'))
    expect([...codes].filter((code) => !told.includes(`\`${code}\``))).to.deep.equal([])
  })
})
