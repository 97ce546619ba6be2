/** What `npm test` runs when files or folders are named, and in which parts. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { allTests, askedFor, partsOf, propertyTests } from '../../scripts/test-parts.mjs'

const root = join(import.meta.dirname, '../..')

describe('the parts of a test run', () => {
  it('of a folder are its tests alone, those in folders of it among them, and no program that lies beside them', () => {
    expect(readdirSync(join(root, 'test/browser'))).to.include('journeys.ts')
    const { files = [] } = askedFor(['test/browser/'])
    expect(files).to.include('test/browser/phones.test.ts').and.not.include('test/browser/journeys.ts')
    expect(askedFor(['packages']).files).to.include('packages/couriers/test/mail/contract.test.ts')
    for (const file of [...files, ...allTests()]) expect(file).to.match(/^(packages|tools|test)\/.*\.test\.ts$/)
  })

  it('are of each file once, as it is named, whatever its name ends in', () => {
    const named = ['tools/chaos/test/planted-replicas.ts', 'test/structure', 'test/structure/links.test.ts']
    const { files = [] } = askedFor(named)
    expect(files[0]).to.equal('tools/chaos/test/planted-replicas.ts')
    expect(files.filter((file) => file === 'test/structure/links.test.ts')).to.have.length(1)
  })

  it('leave to mocha what is its own', () => {
    expect(askedFor(['--grep', 'test/browser', '--fail-zero'])).to.deep.equal({
      options: ['--grep', 'test/browser', '--fail-zero'],
      files: undefined,
    })
    const { options, files } = askedFor(['-g', 'wake', 'test/structure/links.test.ts'])
    expect([options, files]).to.deep.equal([['-g', 'wake'], ['test/structure/links.test.ts']])
  })

  it('are not made of a folder without tests: that is said', () => {
    expect(() => askedFor(['packages/rules/src'])).to.throw('there are no tests in packages/rules/src')
  })

  it('of `npm run properties` are the tests that draw their cases, and no other', () => {
    const drawn = propertyTests()
    expect(drawn).to.include('packages/store/test/keys.test.ts').and.not.include('packages/rules/test/decide.test.ts')
    expect(allTests()).to.include.members(drawn)
  })

  it('are of all tests once, few where each starts a whole fleet', () => {
    const all = allTests()
    const parts = partsOf(all)
    expect(parts.flat().sort()).to.deep.equal([...all].sort())
    for (const part of parts.filter(([file]) => file?.startsWith('test/e2e/'))) expect(part.length).to.be.at.most(6)
  })
})
