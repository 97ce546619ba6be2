/** Every way packets may lie in the stream, tried with the first step of the handshake, and with gramjs for a whole login. */
import { type Cipher, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { ConnectionTCPAbridged, ConnectionTCPFull, ConnectionTCPObfuscated } from 'telegram/network/index.js'
import { type Fixture, startFixture } from './fixture.ts'
import { connectRawClient } from './raw-client.ts'

const intermediate = (packet: Buffer) => Buffer.concat([int(packet.length), packet])
const plainTransports: Readonly<Record<string, { tag: Buffer; wrap: (packet: Buffer) => Buffer; head: number }>> = {
  full: {
    tag: Buffer.alloc(0),
    wrap: (packet) => {
      const framed = Buffer.concat([int(packet.length + 12), int(0), packet])
      return Buffer.concat([framed, int(crc32(framed))])
    },
    head: 8,
  },
  abridged: {
    tag: Buffer.from([0xef]),
    wrap: (packet) => Buffer.concat([Buffer.from([packet.length / 4]), packet]),
    head: 1,
  },
  intermediate: { tag: Buffer.alloc(4, 0xee), wrap: intermediate, head: 4 },
  'padded intermediate': {
    tag: Buffer.alloc(4, 0xdd),
    wrap: (packet) => intermediate(Buffer.concat([packet, randomBytes(7)])),
    head: 4,
  },
}

describe('telegram-dc: transports', () => {
  let fixture: Fixture
  before(async () => {
    fixture = await startFixture()
  })
  after(() => fixture.stop())

  const open = async (): Promise<Socket> => {
    const socket = connect(fixture.endpoint.port, fixture.endpoint.host)
    await once(socket, 'connect')
    return socket
  }

  for (const [name, { tag, wrap, head }] of Object.entries(plainTransports)) {
    it(`answers over ${name}`, async () => {
      const socket = await open()
      const nonce = randomBytes(16)
      const bytes = Buffer.concat([tag, wrap(reqPq(nonce))])
      // byte by byte: a packet may come in any pieces
      for (const byte of bytes) socket.write(Buffer.from([byte]))
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expectResPq(answer.subarray(head), nonce)
      socket.destroy()
    })

    if (tag.length > 0)
      it(`answers over obfuscated ${name}`, async () => {
        const socket = await open()
        const nonce = randomBytes(16)
        const { header, encrypt, decrypt } = obfuscation(Buffer.alloc(4, tag[0]))
        socket.write(Buffer.concat([header, encrypt.update(wrap(reqPq(nonce)))]))
        const [answer] = (await once(socket, 'data')) as [Buffer]
        expectResPq(decrypt.update(answer).subarray(head), nonce)
        socket.destroy()
      })
  }

  for (const connection of [ConnectionTCPFull, ConnectionTCPAbridged, ConnectionTCPObfuscated]) {
    it(`serves gramjs over ${connection.name}`, async () => {
      const raw = await connectRawClient(fixture.endpoint, { connection })
      expect((await raw.send('501', Math.ceil(Math.random() * 1e9))).id).to.be.greaterThan(0)
      await raw.close()
    })
  }

  it('closes on whoever speaks something else, and lives', async () => {
    const garbage = ['GET / HTTP/1.1\r\n\r\n'.padEnd(80), Buffer.concat([Buffer.alloc(4, 0xee), int(0x7fff_fff0)])]
    for (const bytes of garbage) {
      const socket = await open()
      socket.on('error', () => {})
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(bytes)
      await closed
    }
    const raw = await connectRawClient(fixture.endpoint)
    await raw.close()
  })
})

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function reqPq(nonce: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(8), Buffer.alloc(8, 4), int(20), int(0xbe7e8ef1), nonce])
}

function expectResPq(packet: Buffer, nonce: Buffer): void {
  expect(packet.readUInt32LE(20)).to.equal(0x05162463)
  expect(packet.subarray(24, 40).equals(nonce)).to.equal(true)
}

/** The client's part of core.telegram.org/mtproto/mtproto-transports#transport-obfuscation */
function obfuscation(tag: Buffer): { header: Buffer; encrypt: Cipher; decrypt: Cipher } {
  const init = randomBytes(64)
  init[0] = 0x42
  init[4] = 0x42
  tag.copy(init, 56)
  const reversed = Buffer.from(init.subarray(8, 56)).reverse()
  const encrypt = createCipheriv('aes-256-ctr', init.subarray(8, 40), init.subarray(40, 56))
  const decrypt = createDecipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32, 48))
  const hidden = encrypt.update(init)
  return { header: Buffer.concat([init.subarray(0, 56), hidden.subarray(56)]), encrypt, decrypt }
}
