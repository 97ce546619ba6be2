import { silentLog } from '@courier-fleet/process'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item } from '../../src/courier.ts'
import { createStage, item, never, password, phone, type Stage } from './stage.ts'

describe('SMS by SMPP: connecting', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage('SMPP')
  })
  afterEach(() => stage.stop())

  const rejection = async (promise: Promise<unknown>): Promise<Error> => {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Error)) throw new Error('it did not fail')
    return error
  }

  it('does not start with credentials that the SMS centre refuses', async () => {
    const url = (stage.env.SMS_SMPP_URL ?? '').replace(password, 'wrong')
    const error = await rejection(stage.courier({ SMS_SMPP_URL: url }).start(never))
    expect(error.message).to.equal('the bind was refused: ESME_RINVPASWD')
  })

  it('waits at start for an SMS centre that is away, until it is told not to', async () => {
    const abort = new AbortController()
    await stage.smsc.stop()
    const { port } = stage.smsc.endpoint
    const starting = stage.courier().start(never)
    const givingUp = rejection(stage.courier().start(abort.signal))
    abort.abort()
    await givingUp
    const back = await startStandIn({ world: stage.world, ports: { smpp: port }, password, log: silentLog })
    await starting
    await back.stop()
  })

  it('says "later" while the SMS centre is away, and sends when it is back', async () => {
    const courier = stage.courier()
    await courier.start(never)
    await stage.smsc.stop()
    const kindOf = async (message: Item) => {
      // a "later" takes no time at all: let the reconnect have its turn
      await new Promise((resolve) => setImmediate(resolve))
      return (await courier.send([message], never))[0]?.kind
    }
    // the first ones may still leave on the dying connection
    let away = await kindOf(item(phone(0)))
    while (away === 'unknown') away = await kindOf(item(phone(0)))
    expect(away).to.equal('throttled')
    const back = await startStandIn({
      world: stage.world,
      ports: { smpp: stage.smsc.endpoint.port },
      password,
      log: silentLog,
    })
    const again = item(phone(1))
    let kind = await kindOf(again)
    while (kind === 'throttled') kind = await kindOf(again)
    expect(kind).to.equal('sent')
    expect(stage.world.accepted).to.have.length(1)
    await courier.stop()
    await back.stop()
  })

  it('lets two processes bind side by side, each with its own receipts', async () => {
    const [first, second] = [stage.courier(), stage.courier()]
    await Promise.all([first.start(never), second.start(never)])
    const items = Array.from({ length: 60 }, (_, i) => item(phone(i)))
    const outcomes = (
      await Promise.all([first.send(items.slice(0, 30), never), second.send(items.slice(30), never)])
    ).flat()
    const ids = outcomes.map((outcome) => (outcome.kind === 'sent' ? outcome.providerId : outcome.kind))
    expect(new Set(ids).size).to.equal(60)
    await until(() => stage.receipts.length === 60, 'all receipts came')
    expect(new Set(stage.receipts.map(({ providerIds }) => providerIds[0]))).to.deep.equal(new Set(ids))
  })
})
