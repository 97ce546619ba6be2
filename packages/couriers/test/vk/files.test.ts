import type { MessageFile } from '@courier-fleet/api-types'
import { silentLog, systemClock } from '@courier-fleet/process'
import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, longText } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Edit, Item, Outcome } from '../../src/courier.ts'
import type { ReadFile } from '../../src/engine/read-file.ts'
import { createUploads } from '../../src/engine/uploads.ts'
import { linkOf, messageFiles } from '../message-files.ts'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

const { bytesOf, file, asSent } = messageFiles()
const plan = file('plan00000000', 'План.pdf', Buffer.from('%PDF-1.7 the plan\0\xff\r\n', 'latin1'))
const map = file('map000000000', 'map.png', Buffer.alloc(300_000, 7))

describe('vk: a message with files', () => {
  let redis: FreshRedis
  let fixture: Fixture
  let reads: string[]
  let read: ReadFile

  /** A process of its own, of the same community. */
  const uploadsOf = (courier: () => Fixture['courier']) =>
    createUploads({
      redis: redis.redis,
      courier,
      readFile: (each, signal) => read(each, signal),
      clock: systemClock,
      log: silentLog,
    })

  beforeEach(async () => {
    redis = await freshRedis()
    reads = []
    read = async ({ id }) => {
      reads.push(id)
      return bytesOf.get(id) ?? 'gone'
    }
    const uploads = uploadsOf(() => fixture.courier)
    fixture = await startFixture({ uploads })
    after.push(async () => uploads.stop())
  })
  const after: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of after.splice(0)) await end()
    await fixture.stop()
    await redis.stop()
  })

  const withFiles = (all: readonly Item[], ...files: MessageFile[]): Item[] => all.map((item) => ({ ...item, files }))
  const send = (all: readonly Item[]) => fixture.courier.send(all, neverAborted)
  const kinds = (outcomes: readonly Outcome[]) => [...new Set(outcomes.map(({ kind }) => kind))]
  const shown = (address: string) => fixture.world.chats.vk?.read(address).messages ?? []
  const executes = () => fixture.requests.filter(({ method }) => method === 'execute')

  it('is one message with all of them, byte for byte, and each is uploaded once for everybody', async () => {
    expect(kinds(await send(withFiles(items(250, 'Exam plan'), plan, map)))).to.deep.equal(['sent'])
    expect(kinds(await send(withFiles(items(30, 'Once more', 5000n), plan)))).to.deep.equal(['sent'])
    const { accepted, uploads } = fixture.world
    expect(uploads.map(({ name }) => name).sort()).to.deep.equal(['map.png', 'План.pdf'])
    expect(reads.sort()).to.deep.equal([map.id, plan.id])
    expect(accepted).to.have.length(280)
    expect(accepted.every(({ text }) => ['Exam plan', 'Once more'].includes(text))).to.equal(true)
    for (const { text, files } of accepted)
      expect(files).to.deep.equal(text === 'Exam plan' ? [plan, map].map(asSent) : [asSent(plan)])
    expect(shown('1').map(({ files = [] }) => files.map(({ name }) => name))).to.deep.equal([
      ['План.pdf', 'map.png'],
      ['План.pdf'],
    ])
    // nothing that anybody wrote, and nothing that VK answered, becomes part of the script
    for (const { params } of executes()) expect(params.get('code')).to.not.match(/doc-|plan|once/i)
    expect(executes()[0]?.params.get('files0')).to.match(/^doc-\d+_\d+,doc-\d+_\d+$/)
  })

  it('is uploaded once by all processes of the community', async () => {
    const other = uploadsOf(() => fixture.courier)
    const give = async () => {
      throw new Error('not by the second')
    }
    const first = send(withFiles(items(3, 'Together'), map))
    await Promise.race([first, new Promise((resolve) => setImmediate(resolve))])
    while (!(await redis.redis.exists(keys.fileReference('vk', fixture.courier.account, map.id))))
      await new Promise((resolve) => setImmediate(resolve))
    const found = await other.upload(map, give, 10_000, neverAborted)
    other.stop()
    expect(kinds(await first)).to.deep.equal(['sent'])
    expect(found.kind).to.equal('given')
    expect(fixture.world.uploads).to.have.length(1)
  })

  it('is folded when it is sent again, whatever has become of the file meanwhile', async () => {
    const all = withFiles(items(3, 'Once'), plan)
    fixture.world.addFault({ channel: 'vk', kind: 'reply-lost', count: 1 })
    expect(kinds(await send(all))).to.deep.equal(['unknown'])
    await redis.redis.del(keys.fileReference('vk', fixture.courier.account, plan.id))
    fixture.world.addFault({ channel: 'vk', kind: 'refuse-file', count: 1 })
    expect(kinds(await send(all))).to.deep.equal(['sent'])
    expect(fixture.world.accepted.map(({ text, files }) => [text, files])).to.deep.equal(
      Array(3).fill(['Once', [asSent(plan)]]),
    )
  })

  it('goes with the last part of a text in several', async () => {
    const text = longText(9_000)
    expect(kinds(await send(withFiles(items(2, text), plan)))).to.deep.equal(['sent'])
    expect(shown('1').map(({ files }) => files?.length)).to.deep.equal([undefined, undefined, 1])
  })

  it('has a link for what VK does not take, below the text, and nobody uploads that again', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'refuse-file', count: 1 })
    await send(withFiles(items(2, 'Look'), map))
    expect(kinds(await send(withFiles(items(2, 'Again', 5000n), plan, map)))).to.deep.equal(['sent'])
    expect(fixture.world.accepted.map(({ text, files }) => [text, files])).to.deep.equal([
      ...Array(2).fill([`Look\n${linkOf(map)}`, undefined]),
      ...Array(2).fill([`Again\n${linkOf(map)}`, [asSent(plan)]]),
    ])
    expect(reads).to.deep.equal([map.id, plan.id])
  })

  it('has a link where it could not be uploaded three times, or the fleet has it no more', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'upload-lost' })
    const all = withFiles(items(1, 'Cut'), plan)
    let outcomes = await send(all)
    while (outcomes[0]?.kind === 'throttled') outcomes = await send(all)
    expect(kinds(outcomes)).to.deep.equal(['sent'])
    expect(reads).to.deep.equal([plan.id, plan.id, plan.id])
    read = async () => 'gone'
    await send(withFiles(items(1, 'Gone', 5000n), map))
    expect(fixture.world.accepted.map(({ text }) => text)).to.deep.equal([
      `Cut\n${linkOf(plan)}`,
      `Gone\n${linkOf(map)}`,
    ])
  })

  it('waits, and nobody is sent anything, while VK asks for patience or the upload is under way', async () => {
    let finish = () => {}
    read = () => new Promise((resolve) => (finish = () => resolve(bytesOf.get(plan.id) as Buffer)))
    const all = withFiles(items(2, 'Later'), plan)
    const [outcome] = await send(all)
    expect(outcome).to.deep.include({ kind: 'throttled', scope: 'recipient', isOwn: true })
    expect(executes()).to.deep.equal([])
    finish()
    let outcomes = await send(all)
    while (outcomes[0]?.kind === 'throttled') outcomes = await send(all)
    expect(kinds(outcomes)).to.deep.equal(['sent'])
    expect(fixture.world.uploads).to.have.length(1)
  })

  it('is sent with its link where VK refuses the message for its document', async () => {
    await send(withFiles(items(1, 'First'), plan))
    const key = keys.fileReference('vk', fixture.courier.account, plan.id)
    await redis.redis.set(key, '=doc-1_404')
    fixture.world.setPhone({ channel: 'vk', address: '2', state: 'blocked' })
    const outcomes = await send(withFiles(items(2, 'Second', 5000n), plan))
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['sent', 'rejected'])
    expect(outcomes[1]).to.include({ class: 'blocked' })
    expect(shown('1').at(-1)).to.include({ text: `Second\n${linkOf(plan)}` })
  })

  it('keeps its files when it is corrected, and loses them when it is withdrawn', async () => {
    const all = withFiles(items(30, 'On Monday'), plan)
    const outcomes = await send(all)
    const edits = all.map((item, i): Edit => {
      const { providerId } = outcomes[i] as Outcome & { providerId: string }
      return { ...item, text: 'On Tuesday', providerId }
    })
    expect(kinds((await fixture.courier.edit?.(edits, neverAborted)) ?? [])).to.deep.equal(['sent'])
    expect(shown('1').map(({ text, files }) => [text, files])).to.deep.equal([['On Tuesday', [asSent(plan)]]])
    const notices = edits.map((edit) => ({ ...edit, text: 'Withdrawn', files: undefined }))
    await fixture.courier.edit?.(notices.slice(0, 1), neverAborted)
    expect(shown('1').map(({ text, files }) => [text, files])).to.deep.equal([['Withdrawn', undefined]])
    expect(kinds((await fixture.courier.recall?.(edits, neverAborted)) ?? [])).to.deep.equal(['sent'])
    expect(shown('2')).to.deep.equal([])
    expect(fixture.world.uploads).to.have.length(1)
  })
})
