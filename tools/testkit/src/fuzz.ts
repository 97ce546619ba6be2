/** Bytes that a socket does not expect: mutations of what it does expect, the same for the same seed. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from './until.ts'

/** Numbers in [0, 1), always the same for one seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Something that is like one of the samples, or like nothing at all. */
export function brokenBytes(seed: number, samples: readonly Buffer[]): Buffer {
  const random = randomNumbers(seed)
  const upTo = (max: number) => Math.floor(random() * max)
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => upTo(256)))
  const sample = samples[upTo(samples.length)] ?? noise(64)
  if (random() < 0.1) return noise(1 + upTo(300))
  let bytes: Buffer = Buffer.from(sample)
  for (let changes = 1 + upTo(6); changes > 0; changes -= 1) {
    const at = upTo(bytes.length + 1)
    const kind = upTo(4)
    if (kind === 0) bytes = bytes.subarray(0, at)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), noise(1 + upTo(8)), bytes.subarray(at)])
    else if (kind === 2) bytes = Buffer.concat([bytes, sample])
    else if (at < bytes.length) bytes[at] = [0, 1, 3, 0x7f, 0xff, upTo(256)][upTo(6)] as number
  }
  return bytes
}

const patienceMs = 2_000

/** Says this to whoever listens there, and hangs up. Resolves once the connection is closed, by either side. */
export async function throwAt(to: { readonly host?: string; readonly port: number }, bytes: Buffer): Promise<void> {
  const socket = connect(to.port, to.host ?? '127.0.0.1')
  socket.on('error', () => {}) // 'close' follows
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.resume()
  socket.end(bytes)
  await once(socket, 'close')
}

/** Throws so many broken requests at a socket, a few at a time. @throws Error when a connection stays behind */
export async function throwMany(
  to: { readonly host?: string; readonly port: number },
  samples: readonly Buffer[],
  count: number,
): Promise<void> {
  const before = openSockets()
  const atOnce = 10
  for (let seed = 1; seed <= count; seed += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, (_unused, index) => throwAt(to, brokenBytes(seed + index, samples))),
    )
  await until(() => openSockets() <= before, 'every connection is closed')
}

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
