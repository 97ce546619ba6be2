import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiError, type Client, createClient } from '@courier-fleet/client'
import { expect } from 'chai'
import { type Service, startService } from '../../../queue/test/service.ts'
import { createNotes } from '../../src/notes.ts'
import { createSendOnce } from '../../src/sms/send-once.ts'

const repeatMs = 600_000
const message = { to: ['group:own'], text: 'Пары не будет' }

describe('a text that is brought again', () => {
  let service: Service
  let client: Client
  let folder: string
  let laterMs = 0
  let names = 0
  /** a process, with a folder of its own unless it shares one */
  const process = (notes = `${names++}`) =>
    createSendOnce({
      unfinished: createNotes(join(folder, notes)),
      clock: { now: () => Date.now() + laterMs },
      repeatMs,
    })
  const fresh = () => `text-${names++}`

  before(async () => {
    service = await startService(undefined, { timeZone: 'Europe/Moscow', quotas: { trainer: 20 } })
    client = createClient({ apiUrl: await service.listen(), apiKey: service.keyOf.trainer })
    folder = mkdtempSync(join(tmpdir(), 'courier-fleet-send-once-'))
  })
  beforeEach(() => {
    laterMs = 0
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  it('is the same message, whichever process it is brought to, and when to both at once', async () => {
    const text = fresh()
    const keys = await Promise.all([process(), process()].map((each) => each.send(text, client, message)))
    expect(keys[0]?.key).to.equal(keys[1]?.key)
    expect((await process().send(text, client, message)).key).to.equal(keys[0]?.key)
    expect(keys[0]?.audience.size).to.equal(3)
  })

  it('is another message after a while, once the centre knows of the first; each time anew', async () => {
    const text = fresh()
    const keys = new Set<string>()
    for (const [index, wait] of [0, repeatMs / 2, repeatMs + 5000, 2 * repeatMs + 10_000].entries()) {
      laterMs = wait
      const sendOnce = process()
      const { key } = await sendOnce.send(text, client, message)
      await sendOnce.finish(text)
      if (index === 1) expect(keys.has(key), 'within a while').to.equal(true)
      keys.add(key)
    }
    // the fourth is judged by the real time of acceptance of the third
    expect(keys.size).to.equal(3)
  })

  it('is the same message however late, while the centre does not know that it was taken', async () => {
    const text = fresh()
    const { key } = await process('shared').send(text, client, message)
    laterMs = 10 * repeatMs
    const restarted = process('shared')
    expect((await restarted.send(text, client, message)).key).to.equal(key)
    await restarted.finish(text)
    expect((await restarted.send(text, client, message)).key).not.to.equal(key)
  })

  it('is what was accepted, when the names have come to mean another group', async () => {
    const text = fresh()
    const { key } = await process().send(text, client, message)
    const again = await process().send(text, client, { ...message, to: ['group:own', 'cohort:own-cohort'] })
    expect(again).to.deep.include({ key })
    expect(again.audience.size).to.equal(3)
  })

  it('is for the moment that was understood first, though it is brought again when tomorrow is another day', async () => {
    const text = fresh()
    const [tomorrow, dayAfter] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    const cutOff = { ...client, put: () => Promise.reject(new Error('cut off')) }
    const lost = process('night').send(text, cutOff, { ...message, at: tomorrow })
    expect(await lost.catch((error: Error) => error.message)).to.equal('cut off')
    const { key, at } = await process('night').send(text, client, { ...message, at: dayAfter })
    expect(at).to.equal(tomorrow)
    expect((await process().send(text, client, { ...message, at: dayAfter })).at, 'once it was accepted').to.equal(at)
    expect((await client.history(key)).at).to.equal(tomorrow)
  })

  it('may pass later when it was refused', async () => {
    const [text, sendOnce] = [fresh(), process()]
    const refused = await sendOnce
      .send(text, client, { ...message, to: ['group:other'] })
      .catch((error: unknown) => error)
    expect((refused as ApiError).problem.code).to.equal('not-your-audience')
    laterMs = 10 * repeatMs
    expect((await sendOnce.send(text, client, message)).audience.size).to.equal(3)
  })
})
