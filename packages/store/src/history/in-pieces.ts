import { setImmediate as nextTurn } from 'node:timers/promises'

/** about a millisecond's work on bytes: others are served in between */
const pieceBytes = 524_288

/** Does something to many rows, a piece after the other; a single piece is done at once. */
export async function inPieces(
  { size, width }: { readonly size: number; readonly width: number },
  work: (from: number, to: number) => void,
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(pieceBytes / width))
  for (let from = 0; from < size; from += atOnce) {
    if (from > 0) await nextTurn()
    work(from, Math.min(size, from + atOnce))
  }
}
