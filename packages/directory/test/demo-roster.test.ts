import { readFileSync } from 'node:fs'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDirectory } from '../src/create-directory.ts'
import type { Directory } from '../src/directory.ts'
import { bytes } from './csv-bytes.ts'
import { expand } from './expand.ts'

const demo = (name: string) => readFileSync(new URL(`../../../demo/${name}`, import.meta.url))

describe('the demo university', () => {
  const staff = { owner: 'demo', role: 'staff' } as const
  const channels = ['telegram', 'vk', 'sms']
  let fresh: FreshRedis
  let directory: Directory

  before(async () => {
    fresh = await freshRedis()
    directory = createDirectory({ redis: fresh.redis, country: 'RU' })
  })
  after(() => fresh.stop())

  const contactCounts = async (people: string[]) => {
    const found = await Promise.all(channels.map((channel) => directory.contactsOf(channel, people)))
    return people.map((_, index) => found.filter((contacts) => contacts[index]).length)
  }

  it('imports without a complaint', async () => {
    const report = await directory.importCsv(bytes(demo('roster.csv')))
    expect(report).to.include({ created: 328, updated: 0, unchanged: 0, rejected: 0, removed: 0 })
    expect(report.lines).to.deep.equal([])
  })

  it('has people with all, some and no contacts', async () => {
    const students = await expand(directory, ['cohort:all-students'], staff)
    expect(students).to.have.length(306)
    const counts = await contactCounts(students)
    expect(new Set(counts)).to.deep.equal(new Set([0, 1, 2, 3]))
    expect(counts.filter((count) => count === 0)).to.have.length(6)
    expect(await contactCounts(await expand(directory, ['group:ivt-101'], staff))).not.to.include(0)
  })

  it('lets trainers write to what they own', async () => {
    const own = ['group:ivt-101', 'group:ivt-102']
    expect(await expand(directory, own, { owner: 't-01', role: 'trainer' })).to.have.length(55)
    const overlapping = [...own, 'group:robots', 'cohort:stream-1']
    expect(await expand(directory, overlapping, { owner: 't-01', role: 'trainer' })).to.have.length(81)
    expect(await expand(directory, ['cohort:faculty-it'], { owner: 't-12', role: 'trainer' })).to.have.length(175)
  })

  it('has a name for every group and cohort, and names nothing else', async () => {
    const { groups, cohorts } = JSON.parse(demo('names.json').toString()) as Record<string, Record<string, string>>
    const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)
    expect(Object.keys(groups ?? {})).to.deep.equal(idsOf(await directory.listGroups()))
    expect(Object.keys(cohorts ?? {})).to.deep.equal(idsOf(await directory.listCohorts()))
  })

  it('refuses in the sandbox only contacts that somebody has', async () => {
    const phones = JSON.parse(demo('sandbox-phones.json').toString()) as { channel: string; address: string }[]
    for (const { channel, address } of phones) {
      expect(await directory.personOf(channel, address), address).to.be.a('string')
    }
  })
})
