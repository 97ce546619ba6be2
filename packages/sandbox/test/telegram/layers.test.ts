import { expect } from 'chai'
import { Api } from 'telegram'
import { Reader, Writer } from '../../src/telegram/tl/bytes.ts'
import { decode, encode, type TlObject } from '../../src/telegram/tl/codec.ts'
import { loadLayers } from '../../src/telegram/tl/layers.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { connectRawClient, refusalOf } from './raw-client.ts'

describe('telegram-dc: clients of other layers', () => {
  const layers = loadLayers()
  const user: TlObject = { _: 'user', bot: true, id: 5n, access_hash: 6n, first_name: 'Bot', bot_info_version: 1 }

  it('get answers in the shape of their layer', () => {
    const idOf = (layer: number, value: TlObject) => encode(layers.of(layer), value).done().readUInt32LE(0)
    const shapes: [number, number][] = [
      [158, 0x8f97c628],
      [184, 0x215c4438],
      [185, 0x83314fca],
      [198, 0x4b46c37e],
      [201, 0x020b1422],
      [227, 0x31774388],
    ]
    for (const [layer, id] of shapes) expect(idOf(layer, user), `layer ${layer}`).to.equal(id)
  })

  it('get what they can read', () => {
    for (const layer of [135, 158, 198, 227]) {
      const {
        flags: _flags,
        flags2: _flags2,
        ...read
      } = decode(layers.of(layer), new Reader(encode(layers.of(layer), user).done())) as TlObject
      expect(read, `layer ${layer}`).to.deep.equal(user)
    }
  })

  it('are understood when they send, each in its own shape', () => {
    const heads = { 228423076: 158, 4226954250: 201, 4277440354: 227 }
    for (const id of Object.keys(heads)) {
      const bytes = new Writer()
        .int(Number(id))
        .int(0)
        .int(0xdde8a54c)
        .long(501n)
        .long(0n)
        .bytes('привет')
        .long(77n)
        .done()
      const call = decode(layers.any, new Reader(bytes)) as TlObject
      expect(call).to.deep.include({ _: 'messages.sendMessage', message: 'привет', random_id: 77n })
    }
  })

  describe('over the wire', () => {
    let fixture: Fixture
    before(async () => {
      fixture = await startFixture()
    })
    after(() => fixture.stop())

    it('an unknown method, or one that is not served, is a clean refusal', async () => {
      const raw = await connectRawClient(fixture.endpoint)
      const alien = Object.assign(new Api.help.GetNearestDc(), { getBytes: () => new Writer().int(0x0badf00d).done() })
      expect(await refusalOf(raw.call(alien))).to.equal(`INPUT_METHOD_INVALID_${0x0badf00d}`)
      expect(await refusalOf(raw.call(new Api.account.GetPassword()))).to.equal('METHOD_INVALID')
      const torn = Object.assign(new Api.help.GetNearestDc(), { getBytes: () => new Writer().int(0xfef48f62).done() })
      expect(await refusalOf(raw.call(torn))).to.equal('INPUT_REQUEST_INVALID')
      expect((await raw.send('501', 1)).id).to.equal(1)
      await raw.close()
    })

    it('a call waits for the one it names, and fails with it', async () => {
      const raw = await connectRawClient(fixture.endpoint)
      fixture.world.setPhone({ channel: 'telegram', address: '502', state: 'blocked' })
      const answers = await Promise.allSettled([raw.send('502', 2), raw.send('503', 3)])
      expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
      expect(fixture.world.accepted.some(({ address }) => address === '503')).to.equal(false)
      await raw.close()
    })
  })
})
