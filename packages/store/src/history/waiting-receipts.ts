/** Who of a message waits until when, and for what: who stands in a piece of a later wave, as lua/defer.lua keeps it. */
import type { HistoryRef, ReceiptView } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { type Wave, wavesIn } from './waiting.ts'

type Wait = NonNullable<ReceiptView['channels'][string]['waiting']>

/** @param channel index among those that were asked for. Of whoever does not wait it says nothing, or what they waited for before. */
export type Waits = (channel: number, ordinal: number) => Wait | undefined

/** first ordinal, ordinal after the last, how often it failed; four bytes each */
const pieceBytes = 12
/** of presence:… */
const waitsInWave = 'w'.charCodeAt(0)

interface Span {
  readonly ref: HistoryRef
  readonly hash: Readonly<Record<string, string>>
  readonly channels: readonly string[]
  /** ordinals from … to-1 */
  readonly from: number
  readonly to: number
}

/** Reads nothing where the message has no later waves. */
export async function readWaits(redis: Redis, { ref, hash, channels, from, to }: Span): Promise<Waits> {
  const waves = wavesIn(hash).filter(({ leg }) => channels.includes(leg))
  const isOnline = (leg: string) => waves.some((wave) => wave.leg === leg && wave.cause === 'online')
  const [pieces, presences] = await Promise.all([
    Promise.all(waves.map(({ number }) => redis.getBuffer(keys.pieces(ref, number)))),
    Promise.all(
      channels.map((leg) => (isOnline(leg) ? redis.getrangeBuffer(keys.presence(ref, leg), from, to - 1) : undefined)),
    ),
  ])
  const waits = channels.map(() => new Map<number, Wait>())
  for (const [index, wave] of waves.entries()) {
    const channel = channels.indexOf(wave.leg)
    const wait = waitOf(wave)
    for (const ordinal of ordinalsIn(pieces[index], from, to)) {
      // who was called, being online, has left the wave and still lies in its piece
      const isCalled = wave.cause === 'online' && presences[channel]?.[ordinal - from] !== waitsInWave
      if (!isCalled) waits[channel]?.set(ordinal, wait)
    }
  }
  return (channel, ordinal) => waits[channel]?.get(ordinal)
}

const waitOf = ({ dueMs, cause }: Wave): Wait => ({ at: new Date(dueMs).toISOString(), cause })

/** A wave that was woken meanwhile has none. */
function* ordinalsIn(pieces: Buffer | null | undefined, from: number, to: number): Generator<number> {
  if (!pieces) return
  for (let at = 0; at + pieceBytes <= pieces.length; at += pieceBytes) {
    const after = Math.min(to, pieces.readUInt32BE(at + 4))
    for (let ordinal = Math.max(from, pieces.readUInt32BE(at)); ordinal < after; ordinal += 1) yield ordinal
  }
}
