/** Each defect of gramjs is shown first as it is, then behind its patch. */
import { NoAnswer, silentLog, startDeadline } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Api } from 'telegram'
import { StringSession } from 'telegram/sessions/index.js'
import {
  connectRawClient,
  type RawClient,
  type RawClientOptions,
  sendMessage,
} from '../../sandbox/test/telegram/raw-client.ts'
import { patchAfterChain } from '../src/patches/after-chain.ts'
import { patchContainers } from '../src/patches/containers.ts'
import { LeanSession } from '../src/patches/entities.ts'
import { floodWaitOf } from '../src/patches/flood-seconds.ts'
import { type Loss, patchLostConnection } from '../src/patches/lost-connection.ts'

const asItComes: RawClientOptions = { prepare: () => {} }

describe('telegram: patches around gramjs', () => {
  const world = new World()
  const open: RawClient[] = []
  let dc: Awaited<ReturnType<typeof startStandIn>>
  let randomId = 0

  before(async () => {
    world.limits.telegram = { perSecond: null, perChatPerSecond: null }
    world.setPhone({ channel: 'telegram', address: '13', state: 'blocked' })
    dc = await startStandIn({ world, log: silentLog })
  })
  afterEach(async () => {
    world.clearFaults()
    for (const raw of open.splice(0)) await raw.close()
  })
  after(() => dc.stop())

  const connect = async (options: RawClientOptions = {}) => {
    const raw = await connectRawClient(dc.endpoint, options)
    open.push(raw)
    return raw
  }
  const message = (address: string) => sendMessage(address, ++randomId)

  /**
   * What became of calls made together. They are answered together and in order: once the first is, and a later call as
   * well, whatever is still open will stay open.
   */
  async function settledOf(raw: RawClient, calls: readonly Promise<unknown>[]): Promise<(string | undefined)[]> {
    const settled: (string | undefined)[] = calls.map(() => undefined)
    const watched = calls.map((call, i) =>
      call.then(
        () => {
          settled[i] = 'sent'
        },
        (error: { errorMessage: string }) => {
          settled[i] = error.errorMessage
        },
      ),
    )
    await watched[0]
    await raw.call(new Api.updates.GetState())
    await new Promise((resolve) => setImmediate(resolve))
    return settled
  }

  describe('1: an error inside a container', () => {
    const addresses = ['11', '13', '14', '15']
    const sendAll = (raw: RawClient) =>
      settledOf(
        raw,
        addresses.map((address) => raw.call(patchAfterChain(message(address)))),
      )

    it('drops the answers behind it', async () => {
      expect(await sendAll(await connect(asItComes))).to.deep.equal(['sent', 'USER_IS_BLOCKED', undefined, undefined])
    })
    it('patched: costs only the call it belongs to', async () => {
      const prepare: RawClientOptions['prepare'] = (sender) => patchContainers(sender, () => {})
      expect(await sendAll(await connect({ prepare }))).to.deep.equal(['sent', 'USER_IS_BLOCKED', 'sent', 'sent'])
    })
  })

  describe('2: concurrent messages', () => {
    const addresses = ['11', '13', '14']
    const sendAll = (raw: RawClient, patch: (request: Api.AnyRequest) => Api.AnyRequest) =>
      settledOf(
        raw,
        addresses.map((address) => raw.call(patch(message(address)))),
      )

    it('are chained, and fail with the one before', async () => {
      const answers = await sendAll(await connect(), (request) => request)
      expect(answers.slice(0, 2)).to.deep.equal(['sent', 'USER_IS_BLOCKED'])
      expect(answers[2]).not.to.equal('sent')
    })
    it('patched: stand alone', async () => {
      expect(await sendAll(await connect(), patchAfterChain)).to.deep.equal(['sent', 'USER_IS_BLOCKED', 'sent'])
    })
  })

  describe('3: a call that is never answered', () => {
    it('waits for ever', async () => {
      world.addFault({ channel: 'telegram', kind: 'hang' })
      const raw = await connect()
      let settled = false
      void raw.call(message('11')).finally(() => {
        settled = true
      })
      await until(() => raw.sender._pendingState.values().length > 0, 'it is on its way')
      await raw.call(new Api.updates.GetState())
      expect(settled).to.equal(false)
    })
    it('patched: ends at the deadline', async () => {
      world.addFault({ channel: 'telegram', kind: 'hang' })
      const raw = await connect()
      const deadline = startDeadline(50)
      const error = await deadline.race(raw.call(message('11'))).catch((error) => error)
      expect(error).to.be.instanceOf(NoAnswer)
      deadline.end()
    })
  })

  describe('4: an auth key Telegram has forgotten', () => {
    const stopsReading = (raw: RawClient) =>
      until(() => !(raw.sender as never as Record<string, unknown>)._recvLoopHandle, 'it has stopped reading')
    const loseKey = async (raw: RawClient) => {
      await raw.call(new Api.DestroyAuthKey())
      await raw.call(message('11'))
    }

    it('leaves the call hanging, connected as it seems', async () => {
      const raw = await connect()
      let settled = false
      void loseKey(raw).finally(() => {
        settled = true
      })
      await stopsReading(raw)
      expect(settled).to.equal(false)
      expect(raw.sender.isConnected()).to.equal(true)
    })
    it('patched: is reported', async () => {
      const losses: Loss[] = []
      const raw = await connect({ prepare: (sender) => patchLostConnection(sender, (loss) => losses.push(loss)) })
      void loseKey(raw)
      await until(() => losses.length > 0, 'the loss is reported')
      expect(losses).to.deep.equal(['key-lost'])
    })
  })

  describe('5: users seen again and again', () => {
    const rowsAfter = async (session: StringSession) => {
      const raw = await connect({ session })
      for (let i = 0; i < 5; i++) await raw.client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))
      return (session as never as { _entities: Set<unknown> })._entities.size
    }
    it('leave a row each time', async () => {
      expect(await rowsAfter(new StringSession(''))).to.be.at.least(5)
    })
    it('patched: leave none', async () => {
      expect(await rowsAfter(new LeanSession(''))).to.equal(0)
    })
  })

  describe('7: FLOOD_WAIT_n', () => {
    it('is called FLOOD, and its seconds are found by the patch', async () => {
      world.addFault({ channel: 'telegram', kind: 'throttle', seconds: 42 })
      const raw = await connect()
      const error = (await raw.call(message('11')).catch((error) => error)) as { errorMessage: string }
      expect(error.errorMessage).to.equal('FLOOD')
      expect(floodWaitOf(error)).to.deep.equal({ seconds: 42, text: 'FLOOD_WAIT_42', ofChat: false })
      expect(floodWaitOf(new Error('FLOOD'))).to.equal(undefined)
    })
  })
})
